/**
 * A text of the model's, in blocks and those in chunks: of one that grows, only the last chunk is looked at again, and of
 * a very long one only the end stands in the page until the user wants more.
 */
import { useRef, useState } from 'preact/hooks';
import { blocksOf, type Block } from './blocks';
import { Code } from './code';
import { post } from './host';
import { Markdown } from './markdown';
import { memo } from './memo';
import { useWords } from './words';

/** Blocks in a chunk. */
const CHUNK = 32;
/** Chunks that are drawn at first, and more at each wish. */
const SHOWN = 12;

const follow = (href: string) => post({ type: 'openLink', href });

export function Text({ text }: { text: string }) {
  const words = useWords();
  const known = useRef<{ blocks: readonly Block[]; chunks: Block[][] }>({ blocks: [], chunks: [] });
  const [more, setMore] = useState(0);
  const blocks = blocksOf(text, known.current.blocks);
  const chunks = chunksOf(blocks, known.current.chunks);
  known.current = { blocks, chunks };
  const first = Math.max(0, chunks.length - SHOWN - more);
  return (
    <>
      {first > 0 && (
        <button type="button" class="link earlier" onClick={() => setMore(more + SHOWN)}>
          {words.showEarlier}
        </button>
      )}
      {chunks.slice(first).map((chunk, index) => (
        <Chunk key={first + index} blocks={chunk} />
      ))}
    </>
  );
}

/** The chunks of these blocks; those whose blocks did not change are the same objects. */
function chunksOf(blocks: readonly Block[], before: Block[][]): Block[][] {
  const chunks: Block[][] = [];
  for (let start = 0; start < blocks.length; start += CHUNK) {
    const old = before[chunks.length];
    const size = Math.min(CHUNK, blocks.length - start);
    const same = old?.length === size && old.at(-1) === blocks[start + size - 1] && (size < 2 || old.at(-2) === blocks[start + size - 2]);
    chunks.push(same ? old : blocks.slice(start, start + size));
  }
  return chunks;
}

const Chunk = memo(function Chunk({ blocks }: { blocks: Block[] }) {
  return (
    <div class="chunk">
      {blocks.map((block) =>
        block.kind === 'code' ? (
          <Code key={block.start} text={block.text} language={block.language} />
        ) : (
          <Markdown key={block.start} text={block.text} follow={follow} />
        ),
      )}
    </div>
  );
});
