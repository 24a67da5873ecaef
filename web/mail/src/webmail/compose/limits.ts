import { docToHtml } from './doc-to-mail.ts'
import { type Letter, textOf, usedFiles } from './letter.ts'

/** The largest message that the service takes, with everything in it. */
export const MAX_MESSAGE_BYTES = 52_428_800
export const MAX_FILES = 100
/** Header fields and the lines between the parts. */
const FRAME_BYTES = 20_000

/** What bytes become in a mail: base64 in lines of 76 with their ends. */
export const mailedSize = (bytes: number): number => Math.ceil(bytes / 57) * 78

/** The most bytes of files that fit. */
export const MAX_FILE_BYTES = Math.floor(((MAX_MESSAGE_BYTES - FRAME_BYTES) / 78) * 57)

/** About how large the message will be. */
export const estimatedSize = (letter: Letter): number => {
  const text = new TextEncoder().encode(
    textOf(letter) + (letter.body.format === 'html' ? docToHtml(letter.body.doc) : ''),
  ).length
  return FRAME_BYTES + mailedSize(text) + usedFiles(letter).reduce((sum, { size }) => sum + mailedSize(size), 0)
}

const ATTACHED =
  /\b(?:attached|attachment|attachments|attaching|enclosed|see attach\w*|im anhang|anbei|angehängt|beigefügt|en pièce jointe|ci-joint\w*|adjunt\w+|in allegato|bijlage)\b/i

/** Whether the words promise a file; what is quoted and signed does not count. */
export const promisesFile = (subject: string, text: string): boolean => {
  const own = (text.split(/\n(?:-- \n|-{10} Forwarded message|On .+ wrote:\n)/)[0] ?? '')
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n')
  return ATTACHED.test(own) || ATTACHED.test(subject.replace(/^(?:re|fwd?):.*/i, ''))
}
