import { parseMessage } from '@stoa/mail/formats/mime/parse.ts'
import { encodeStructure } from '@stoa/mail/formats/mime/stored.ts'
import { corpus } from '@stoa/mail/formats/mime/testing/corpus.ts'
import { createGoals } from '../goals.ts'
import { median } from '../harness.ts'

/** Of the CPU that postal-mime takes. */
const MOST_SHARE = 0.2
const ROUNDS = 15
/** The mean size of a message that the service is measured with. */
const MEAN_BYTES = 29_000

type PostalMime = { default: { parse(bytes: Buffer): Promise<unknown> } }

/**
 * The parser with the stored form of what it found, against postal-mime on the same messages in the same run: the
 * project's corpus, and as many ordinary messages of the mean size.
 */
export const run = async (): Promise<void> => {
  const name = 'postal-mime'
  const { default: postalMime }: PostalMime = await import(name)
  const messages = [...corpus.values(), ...Array.from({ length: corpus.size }, (_, index) => ordinary(index))]
  const shares: number[] = []
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const theirs = await perCpuSecond(messages, (bytes) => postalMime.parse(bytes))
    const ours = await perCpuSecond(messages, (bytes) => encodeStructure(parseMessage(bytes)))
    rates.push(ours)
    shares.push(theirs / ours)
  }
  const goals = createGoals()
  goals.check(
    `parser: ${median(rates).toFixed(0)} messages per CPU second; ${median(shares).toFixed(2)} of the CPU of postal-mime ` +
      `(${ROUNDS} rounds)`,
    median(shares),
    MOST_SHARE,
  )
  goals.finish()
}

const perCpuSecond = async (messages: readonly Buffer[], parse: (bytes: Buffer) => unknown): Promise<number> => {
  const before = process.cpuUsage()
  for (const bytes of messages) await parse(bytes)
  const { user, system } = process.cpuUsage(before)
  return (messages.length * 1e6) / (user + system)
}

/** Text, HTML and an attachment, as most mail is. */
const ordinary = (index: number): Buffer => {
  const attachment = Buffer.alloc(Math.floor(MEAN_BYTES * 0.5), index)
    .toString('base64')
    .replace(/.{76}/g, '$&\r\n')
  const words = 'Dear reader, this is what a message usually says. '
  const headers = Array.from({ length: 20 }, (_, line) => `X-Header-${line}: ${words.repeat(2)}\r\n`).join('')
  const text = `${words.repeat(1)}\r\n`.repeat(40)
  return Buffer.from(
    `From: Ann <ann@example.org>\r\nTo: Bob <bob@example.net>\r\nSubject: Message ${index}\r\n${headers}` +
      `MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n` +
      `Content-Type: multipart/alternative; boundary=a\r\n\r\n--a\r\nContent-Type: text/plain\r\n\r\n${text}\r\n` +
      `--a\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>${text}</p>\r\n--a--\r\n` +
      `--m\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${attachment}\r\n--m--\r\n`,
  )
}
