/**
 * Code in its language's colours. They come a moment after the text, once it is in sight, and of text that grows now and
 * then: reading it takes longer than drawing it, and typing must stay smooth.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { colourable, coloured, type Piece } from './colours';
import { Pieces } from './pieces';

/** Milliseconds between two readings of a text that grows, at least; and how much of the time they may take. */
const PAUSE = 120;
const SHARE = 8;

interface Read {
  text: string;
  language: string;
  pieces: Piece[];
}

export function Coloured({ text, language }: { text: string; language: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const latest = useRef(text);
  const [seen, setSeen] = useState(false);
  const [read, setRead] = useState<Read>();
  const pause = useRef(0);
  const timer = useRef<number | undefined>(undefined);
  latest.current = text;
  const wanted = colourable(text, language);

  useEffect(() => {
    if (!wanted || seen || !place.current) return;
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [wanted, seen]);
  useEffect(() => {
    if (!wanted || !seen || timer.current !== undefined || (read?.text === text && read.language === language)) return;
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      const start = performance.now();
      if (colourable(latest.current, language)) setRead({ text: latest.current, language, pieces: coloured(latest.current, language) });
      pause.current = Math.max(PAUSE, (performance.now() - start) * SHARE);
    }, pause.current);
  });
  useEffect(() => () => clearTimeout(timer.current), []);

  // What came since it was read follows without colours.
  const fits = wanted && read?.language === language && text.startsWith(read.text);
  return (
    <span ref={place}>
      {fits ? [...read.pieces, text.slice(read.text.length)].map(draw) : <Pieces text={text} />}
    </span>
  );
}

function draw(piece: Piece) {
  if (typeof piece === 'string') return piece;
  return <span class={`t-${piece.kind}`}>{piece.pieces.map(draw)}</span>;
}
