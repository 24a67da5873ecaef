import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'

/**
 * Clients on a network of their own, each in another moment of a conversation when the network goes. Run with the host, the
 * ports of SMTP and IMAP, how many of each, an address and its password.
 */
const [host = '', smtpPort = '', imapPort = '', count = '0', email = '', password = ''] = process.argv.slice(2)

const SMTP_MOMENTS = [
  '',
  'EHLO away.test\r\n',
  'EHLO aw',
  `EHLO away.test\r\nMAIL FROM:<a@away.test>\r\nRCPT TO:<${email}>\r\nDATA\r\nSubject: cut\r\n\r\nhalf a `,
]

const openSmtp = async (nth: number): Promise<void> => {
  const socket = connect({ host, port: Number(smtpPort) })
  await once(socket, 'data')
  socket.resume()
  for (const line of (SMTP_MOMENTS[nth % SMTP_MOMENTS.length] ?? '').split(/(?<=\n)/)) {
    socket.write(line)
    if (/^(EHLO|MAIL|RCPT|DATA).*\n/.test(line)) await once(socket, 'data')
  }
}

const openImap = async (nth: number): Promise<void> => {
  const socket: TLSSocket = connectTls({ host, port: Number(imapPort), rejectUnauthorized: false })
  socket.setEncoding('latin1')
  await once(socket, 'data')
  const say = async (line: string, answer: string): Promise<void> => {
    socket.write(`${line}\r\n`)
    for (let text = ''; !text.includes(answer); ) text += (await once(socket, 'data'))[0]
  }
  await say(`a LOGIN ${email} "${password}"`, 'a OK')
  if (nth % 2 === 0) await say('b APPEND INBOX {1000}', '+ ')
  else {
    await say('b SELECT INBOX', 'b OK')
    await say('c IDLE', '+ ')
  }
}

for (let nth = 0; nth < Number(count); nth += 1) await Promise.all([openSmtp(nth), openImap(nth)])
process.stdout.write('open\n')
setInterval(() => undefined, 60_000)
