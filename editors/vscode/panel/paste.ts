/** Pictures from the clipboard, as a prompt takes them. */
import type { Image } from '../src/chat/entries';
import { MAX_IMAGE } from '../src/chat/limits';

const KNOWN = /^image\/(png|jpeg|gif|webp)$/;

/** The pictures that were pasted, at most so many; those that are too large or of another kind are left out. */
export async function pastedImages(data: DataTransfer | null, most: number): Promise<Image[]> {
  const files = [...(data?.files ?? [])].filter((file) => KNOWN.test(file.type)).slice(0, Math.max(0, most));
  const images = await Promise.all(files.map(async (file) => ({ mimeType: file.type, data: await base64(file) })));
  return images.filter((image) => image.data !== '' && image.data.length <= MAX_IMAGE);
}

function base64(file: File): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => resolve('');
    reader.readAsDataURL(file);
  });
}
