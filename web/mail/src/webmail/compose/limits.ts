import { docToHtml } from './document/doc-to-mail.ts'
import { type Letter, textOf, usedFiles } from './letter.ts'

/** The largest message that the service takes, with everything in it. */
export const MAX_MESSAGE_BYTES = 52_428_800
export const MAX_FILES = 100
/** Header fields and the lines between the parts. */
const FRAME_BYTES = 20_000

/** The encoded size in a mail: base64 in lines of 76 characters plus line ends. */
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

/** How people announce a file: English, German, French, Spanish, Italian, Portuguese, Dutch. */
const ANNOUNCED = [
  'attach(?:ed|ment|ments|ing)?',
  'enclos(?:ed|ing|ure)',
  '(?:im|in der|als) (?:anhang|anlage|anlagen)',
  'anbei',
  'anh[äa]nge?',
  '(?:an|bei)gehängt\\w*',
  'angefügt\\w*',
  'beigefügt\\w*',
  'beiliegend\\w*',
  'pi[èe]ces? jointes?',
  'ci[- ]joints?|ci[- ]jointes?',
  'en annexe',
  'adjunt\\w+',
  'anexad\\w+|(?:em|en|o|os) anexos?',
  'in allegato|allegat[oi]',
  'bijlagen?|bijgevoegd\\w*',
]

// Not \b: that takes ü and è for the end of a word
const ATTACHED = new RegExp(`(?<![\\p{L}\\p{N}])(?:${ANNOUNCED.join('|')})(?![\\p{L}\\p{N}])`, 'iu')

/** Everything after this is a signature, or a forwarded message. */
const NOT_OWN = /\n(?:-- \n|-{5,} ?[^\n-]+)/

/** Whether the words promise a file; what is quoted and signed does not count. */
export const promisesFile = (subject: string, text: string): boolean => {
  const own = (`\n${text}`.split(NOT_OWN)[0] ?? '')
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n')
  return ATTACHED.test(own) || ATTACHED.test(subject.replace(/^(?:re|aw|sv|fwd?|wg|tr):.*/i, ''))
}
