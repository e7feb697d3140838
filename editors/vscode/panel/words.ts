/** The words of the panel, handed down to whatever draws. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Words } from '../src/chat/words';

const WordsContext = createContext<Words | undefined>(undefined);

export const WordsProvider = WordsContext.Provider;

/** All words; there is nothing drawn before they are there. */
export function useWords(): Words {
  const words = useContext(WordsContext);
  if (!words) throw new Error('drawn before the words were there');
  return words;
}

/** A phrase with its places filled. */
export function fill(phrase: string, ...values: (string | number)[]): string {
  return phrase.replace(/\{(\d)\}/g, (all, index: string) => String(values[Number(index)] ?? all));
}
