/** A line that unfolds, and stays as the user left it. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icons';
import { foldOf, keepFold } from './kept';

interface Props {
  /** What it is remembered by. */
  id: string;
  class?: string;
  /** Whether it is open where the user said nothing. */
  initially?: boolean;
  summary: ComponentChildren;
  children: ComponentChildren;
}

export function Fold({ id, class: extra = '', initially = false, summary, children }: Props) {
  const [chosen, setChosen] = useState(() => foldOf(id));
  const open = chosen ?? initially;
  const toggle = (event: Event) => {
    event.preventDefault();
    setChosen(!open);
    keepFold(id, !open);
  };
  return (
    <details class={`fold ${extra}`} open={open}>
      <summary onClick={toggle}>
        <Icon name="chevron" class="mark" />
        {summary}
      </summary>
      {open && children}
    </details>
  );
}
