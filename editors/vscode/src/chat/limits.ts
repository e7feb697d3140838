/** Every bound of the chat, named. Sizes of text are in UTF-16 units, as strings count. */

/** Entries kept of one session; the oldest go first. */
export const MAX_ENTRIES = 20_000;
/** Length of one entry's text; what is more begins another entry. */
export const MAX_TEXT = 4_000_000;
/** Length of one call's output; the end is kept. */
export const MAX_OUTPUT = 64_000;
/** Length of one call's arguments. */
export const MAX_INPUT = 16_000;
/** Lines of one diff. */
export const MAX_DIFF_LINES = 400;
/** Lines on either side for which a diff is worked out line by line; more are shown as one replacement. */
export const MAX_COMPARED_LINES = 600;
/** Entries in a snapshot, and in each further piece of the past that the panel asks for. */
export const PAGE_ENTRIES = 200;
/** Milliseconds for which changes are gathered before the panel is told. */
export const PATCH_PAUSE = 16;
/** Messages waiting behind a running turn. */
export const MAX_QUEUE = 50;
/** Length of a prompt. */
export const MAX_PROMPT = 2_000_000;
/** Length of a rule that an approval saves. */
export const MAX_RULE = 100_000;
/** Images in a prompt, and the length of each one in base64. */
export const MAX_IMAGES = 10;
export const MAX_IMAGE = 7_000_000;
/** Files, symbols and excerpts named in a prompt. */
export const MAX_ATTACHMENTS = 100;
/** Rows in a list of completions. */
export const MAX_COMPLETIONS = 30;
/** Diagnostics that `@problems` stands for. */
export const MAX_PROBLEMS = 100;
