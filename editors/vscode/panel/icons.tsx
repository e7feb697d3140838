/** The few pictures the panel needs, drawn in lines of the text's own colour. They say nothing that words do not. */

const paths = {
  chevron: 'M6 4l4 4-4 4',
  check: 'M3.5 8.5l3 3 6-7',
  cross: 'M4 4l8 8M12 4l-8 8',
  circle: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3z',
  half: 'M8 3a5 5 0 1 0 0 10z M8 3a5 5 0 0 1 0 10',
  spinner: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  warning: 'M8 2.5L14 13H2zM8 6.5v3M8 11v.5',
  info: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 7.5v3.5M8 5v.5',
  shield: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  read: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  edit: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3z',
  delete: 'M3.5 4.5h9M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9',
  move: 'M3 8h9M9 5l3 3-3 3',
  search: 'M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 10l3.5 3.5',
  execute: 'M2.5 3.5h11v9h-11zM5 6.5l2 1.5-2 1.5M8.5 10h2.5',
  fetch: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM2.5 8h11M8 2.5c-3 3-3 8 0 11M8 2.5c3 3 3 8 0 11',
  think: 'M3 6h10M3 10h6',
  other: 'M8 3.5v9M3.5 8h9',
  plus: 'M8 3v10M3 8h10',
  up: 'M8 13V3.5M4 7l4-4 4 4',
  down: 'M8 3v9.5M4 9l4 4 4-4',
  stop: 'M4.5 4.5h7v7h-7z',
  copy: 'M6 5.5h7v8H6zM10 5.5v-3H3v8h3',
  insert: 'M3 3v10M6 8h7M9 5L6 8l3 3',
  apply: 'M4 2.5h5l3 3v8H4zM6 9l1.5 1.5L10 7.5',
  attach: 'M11.5 7l-4.6 4.6a2 2 0 0 1-2.9-2.9l5.2-5.2a1.4 1.4 0 0 1 2 2L6.3 10.6',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, class: more = '' }: { name: IconName; class?: string }) {
  return (
    <svg class={`icon ${more}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

/** A button that is a picture; its words are its label and its tooltip. */
export function IconButton(props: { icon: IconName; label: string; onClick: () => void; disabled?: boolean; class?: string }) {
  const { icon, label, onClick, disabled = false } = props;
  return (
    <button type="button" class={`icon-button ${props.class ?? ''}`} aria-label={label} title={label} onClick={onClick} disabled={disabled}>
      <Icon name={icon} />
    </button>
  );
}
