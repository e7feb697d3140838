/** A long text in pieces, of which the browser lays out only those in sight, and of which only the last changes. */
import { memo } from './memo';

const PIECE = 16_000;

export function Pieces({ text }: { text: string }) {
  return (
    <>
      {pieces(text).map((piece, index) => (
        <Piece key={index} text={piece} />
      ))}
    </>
  );
}

const Piece = memo(function Piece({ text }: { text: string }) {
  return <span class="piece">{text}</span>;
});

/** Cut at line ends where there are some, so that each piece is whole lines. */
function pieces(text: string): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length; ) {
    const wanted = start + PIECE;
    const line = text.indexOf('\n', wanted);
    const end = wanted >= text.length ? text.length : line >= 0 && line < wanted + PIECE ? line + 1 : wanted;
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}
