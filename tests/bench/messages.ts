import { newKey, signed } from '@stoa/mail/formats/authenticity/testing/zone.ts'

export const SENDER_DOMAIN = 'sender.example'

/** Of the text alone; with HTML, header fields and a signature a message has 3 to 8 KB. */
const FEWEST_WORDS = 100
const MOST_WORDS = 450
/** As many different words as the language of everyday mail has. */
const VOCABULARY = 4_000

export type Letter = { from: string; to: string; id: string; replyTo: string | null; topic: string; seed: number }

/** An ordinary message: what a mail program writes, as text and as HTML, with the fields that come with it. */
export const letter = ({ from, to, id, replyTo, topic, seed }: Letter): string => {
  const text = paragraphs(seed)
  const html = text.map((paragraph) => `<p style="margin:0 0 1em">${paragraph}</p>`).join('\r\n')
  const references = replyTo === null ? '' : `In-Reply-To: <${replyTo}>\r\nReferences: <${replyTo}>\r\n`
  return (
    `Received: from desk.${SENDER_DOMAIN} (desk.${SENDER_DOMAIN} [192.0.2.7])\r\n\tby out.${SENDER_DOMAIN} with ESMTPSA id ${seed}\r\n` +
    `\t(TLS1.3:ECDHE_X25519:AES_256_GCM:256); ${mailDate()}\r\n` +
    `From: Ann Example <${from}>\r\nTo: Bob Example <${to}>\r\nSubject: ${replyTo === null ? '' : 'Re: '}${topic}\r\n` +
    `Date: ${mailDate()}\r\nMessage-ID: <${id}>\r\n${references}User-Agent: Example Mail 3.2 (Linux x86_64)\r\n` +
    `Content-Language: en-US\r\nX-Priority: 3\r\nMIME-Version: 1.0\r\n` +
    `Content-Type: multipart/alternative; boundary="=_part-${seed}"\r\n\r\nThis is a message in several parts.\r\n` +
    `--=_part-${seed}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n` +
    `${text.map(wrapped).join('\r\n\r\n')}\r\n--=_part-${seed}\r\nContent-Type: text/html; charset=utf-8\r\n` +
    `Content-Transfer-Encoding: 7bit\r\n\r\n<!doctype html>\r\n<html><body>\r\n${html}\r\n</body></html>\r\n--=_part-${seed}--\r\n`
  )
}

/** These in turn, so many that no two are the same. */
export const numbered = (messages: readonly Buffer[], count: number): Buffer[] =>
  Array.from({ length: count }, (_, index) =>
    Buffer.concat([
      Buffer.from(`X-Number: ${index} ${Date.now().toString(36)}\r\n`),
      messages[index % messages.length] ?? Buffer.alloc(0),
    ]),
  )

const mailDate = (): string => new Date().toUTCString().replace('GMT', '+0000')

/** So many letters to these mailboxes in turn, every third an answer to the one before in its mailbox, each signed. */
export const signedLetters = async (
  count: number,
  mailboxes: readonly string[],
): Promise<{ letters: Buffer[]; dkimRecord: string }> => {
  const key = newKey()
  const options = { domain: SENDER_DOMAIN, key, signTime: new Date() }
  const run = Date.now().toString(36)
  const idOf = (index: number) => `${run}.${index}@${SENDER_DOMAIN}`
  const letters: Buffer[] = []
  for (let index = 0; index < count; index += 1) {
    const before = index - mailboxes.length
    const isReply = before >= 0 && index % 3 === 0
    const text = letter({
      from: `ann@${SENDER_DOMAIN}`,
      to: mailboxes[index % mailboxes.length] ?? '',
      id: idOf(index),
      replyTo: isReply ? idOf(before) : null,
      topic: `News number ${isReply ? before : index}`,
      seed: index,
    })
    letters.push(await signed(text, options))
  }
  return { letters, dkimRecord: key.record }
}

const SYLLABLES = [
  'ta',
  'ri',
  'mon',
  'de',
  'lu',
  'ves',
  'ko',
  'an',
  'ter',
  'si',
  'ble',
  'or',
  'qua',
  'nim',
  'pe',
  'sto',
]

/** Words of one to four syllables. */
const wordAt = (number: number): string => {
  let word = ''
  for (let left = number; ; left = Math.floor(left / SYLLABLES.length) - 1) {
    word += SYLLABLES[left % SYLLABLES.length]
    if (left < SYLLABLES.length) return word
  }
}

/** Some words are much more frequent than others, as in any language. */
const paragraphs = (seed: number): string[] => {
  let random = seed * 7_919 + 17
  const next = (): number => {
    random = (random * 1_103_515_245 + 12_345) % 2 ** 31
    return random / 2 ** 31
  }
  const count = FEWEST_WORDS + Math.floor(next() * (MOST_WORDS - FEWEST_WORDS))
  const words = Array.from({ length: count }, () => wordAt(Math.floor(VOCABULARY * next() ** 3)))
  const made: string[] = []
  for (let at = 0; at < words.length; at += 60) made.push(`${words.slice(at, at + 60).join(' ')}.`)
  return made
}

const wrapped = (paragraph: string): string => paragraph.replace(/(.{1,72})(?: |$)/g, '$1\r\n').trimEnd()
