import { newKey, signed } from '@stoa/mail/formats/authenticity/testing/zone.ts'

/** The mean size of a message that the service is measured with. */
const MEAN_BYTES = 29_000
const VARIANTS = 40
export const SENDER_DOMAIN = 'sender.example'

/** Ordinary messages of that mean size, a few times as large or small, each with a signature that verifies. */
export const signedMessages = async (): Promise<{ messages: Buffer[]; dkimRecord: string }> => {
  const key = newKey()
  const options = { domain: SENDER_DOMAIN, key, signTime: new Date() }
  const messages: Buffer[] = []
  for (let index = 0; index < VARIANTS; index += 1) messages.push(await signed(ordinary(index), options))
  return { messages, dkimRecord: key.record }
}

/** From a sixth of the mean size to almost twice of it. */
const sizeOf = (index: number): number => MEAN_BYTES * (1 / 6 + (index / (VARIANTS - 1)) * (5 / 3))

const ordinary = (index: number): string => {
  const words = 'Dear reader, this is what a message usually says to whoever gets it. '
  const text = `${words}\r\n`.repeat(30)
  const html = `<p>${words}</p>\r\n`.repeat(30)
  const left = Math.max(sizeOf(index) - text.length - html.length - 2_500, 300)
  const attachment = Buffer.alloc(Math.floor(left * 0.74), index)
    .toString('base64')
    .replace(/.{76}/g, '$&\r\n')
  const headers = Array.from({ length: 15 }, (_, line) => `X-Header-${line}: ${words}\r\n`).join('')
  return (
    `From: Ann <ann@${SENDER_DOMAIN}>\r\nTo: Bob <bob@ours.test>\r\nSubject: Message ${index}\r\n` +
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}\r\nMessage-ID: <${index}@${SENDER_DOMAIN}>\r\n${headers}` +
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n' +
    `Content-Type: multipart/alternative; boundary=a\r\n\r\n--a\r\nContent-Type: text/plain\r\n\r\n${text}\r\n` +
    `--a\r\nContent-Type: text/html\r\n\r\n${html}\r\n--a--\r\n` +
    '--m\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
    `${attachment}\r\n--m--\r\n`
  )
}
