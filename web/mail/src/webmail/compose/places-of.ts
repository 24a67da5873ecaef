import type { Attachment } from '@stoa/mail-model/messages.ts'
import type { LetterFile } from './letter.ts'

/** At which place of a saved draft each file is, by the keys of the files. Names may come back changed, sizes do not. */
export const placesOf = (
  files: readonly Pick<LetterFile, 'key' | 'filename' | 'size' | 'contentId'>[],
  attachments: readonly Attachment[],
): Map<string, string> => {
  const free = [...attachments]
  const places = new Map<string, string>()
  const tests: readonly ((file: (typeof files)[number], saved: Attachment) => boolean)[] = [
    (file, saved) => file.contentId !== null && saved.content_id === file.contentId,
    (file, saved) => file.contentId === null && saved.filename === file.filename && saved.size_bytes === file.size,
    (file, saved) => file.contentId === null && saved.content_id === null && saved.size_bytes === file.size,
  ]
  for (const fits of tests)
    for (const file of files) {
      if (places.has(file.key)) continue
      const at = free.findIndex((saved) => fits(file, saved))
      const [saved] = at === -1 ? [] : free.splice(at, 1)
      if (saved) places.set(file.key, saved.section)
    }
  return places
}
