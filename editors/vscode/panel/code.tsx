/** A block of code, with what can be done with it. */
import { useState } from 'preact/hooks';
import { Coloured } from './coloured';
import { post } from './host';
import { IconButton } from './icons';
import { memo } from './memo';
import { useWords } from './words';

/** How long "Copied" stands. */
const TOLD = 1_500;

export const Code = memo(function Code({ text, language }: { text: string; language: string }) {
  const words = useWords();
  const [copied, setCopied] = useState(false);
  const copy = () => {
    post({ type: 'copy', text });
    setCopied(true);
    setTimeout(() => setCopied(false), TOLD);
  };
  const apply = () => {
    const fence = '`'.repeat(Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1);
    const prompt = `${words.applyPrompt}\n\n${fence}${language}\n${text}\n${fence}`;
    post({ type: 'send', text: prompt, attachments: [{ kind: 'selection', label: 'selection' }], images: [] });
  };
  return (
    <figure class="code" aria-label={language ? `${words.code}: ${language}` : words.code}>
      <figcaption>
        <span class="language">{language}</span>
        <span role="status">{copied ? words.copied : ''}</span>
        <IconButton icon="copy" label={words.copy} onClick={copy} />
        <IconButton icon="insert" label={words.insert} onClick={() => post({ type: 'insertCode', text })} />
        <IconButton icon="apply" label={words.apply} onClick={apply} />
      </figcaption>
      <pre tabIndex={0}>
        <code>
          <Coloured text={text} language={language} />
        </code>
      </pre>
    </figure>
  );
});
