/** Names of the review's commands; package.json has the same. */
export const id = {
  accept: 'assent.review.accept',
  reject: 'assent.review.reject',
  rejectWithReason: 'assent.review.rejectWithReason',
  acceptFile: 'assent.review.acceptFile',
  rejectFile: 'assent.review.rejectFile',
  acceptAll: 'assent.review.acceptAll',
  rejectAll: 'assent.review.rejectAll',
  next: 'assent.review.next',
  previous: 'assent.review.previous',
  edit: 'assent.review.edit',
  acceptEdited: 'assent.review.acceptEdited',
  diff: 'assent.review.diff',
  open: 'assent.review.open',
} as const;
