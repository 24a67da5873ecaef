import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createPace } from './pace.ts'

export type SmtpLoad = {
  /** Connections are spread over them. */
  ports: readonly number[]
  connections: number
  messages: readonly Buffer[]
  /** Of the message with this number. */
  envelope(index: number): { from: string; to: string }
  /** Over TLS from the first byte, and signed in. */
  signIn?: { email: string; password: string }
  /** Messages that leave in a second over all connections; without it, each connection sends one after the other. */
  perSecond?: number
}

/** From the end of each message to its 250, in milliseconds. */
export type SmtpTimes = { perSecond: number; times: number[] }

/** Sends all messages once over some connections, the commands of an envelope together as good clients do. */
export const sendAll = async (load: SmtpLoad): Promise<SmtpTimes> => {
  const times: number[] = []
  const pace = createPace(load.perSecond)
  const began = performance.now()
  let sent = 0
  const work = async (port: number): Promise<void> => {
    const client = await openClient(port, load.signIn)
    while (sent < load.messages.length) {
      const index = sent
      sent += 1
      await pace()
      times.push(await client.send(load.envelope(index), load.messages[index] ?? Buffer.alloc(0)))
    }
    client.close()
  }
  await Promise.all(Array.from({ length: load.connections }, (_, at) => work(load.ports[at % load.ports.length] ?? 0)))
  return { perSecond: (load.messages.length * 1_000) / (performance.now() - began), times }
}

/** A connection that is ready for messages. */
export const openClient = async (port: number, signIn?: SmtpLoad['signIn']) => {
  const options = { port, host: '127.0.0.1' }
  const socket: Socket = signIn
    ? connectTls({ ...options, rejectUnauthorized: false })
    : connect({ ...options, noDelay: true })
  await once(socket, signIn ? 'secureConnect' : 'connect')
  const replies = repliesOf(socket)
  const say = async (text: string | Buffer, count = 1): Promise<void> => {
    socket.write(text)
    for (let left = count; left > 0; left -= 1) await replies.next()
  }
  await replies.next()
  await say('EHLO load.example\r\n')
  if (signIn) await say(`AUTH PLAIN ${Buffer.from(`\0${signIn.email}\0${signIn.password}`).toString('base64')}\r\n`)
  return {
    async send({ from, to }: { from: string; to: string }, message: Buffer): Promise<number> {
      await say(`MAIL FROM:<${from}>\r\nRCPT TO:<${to}>\r\nDATA\r\n`, 3)
      const ended = performance.now()
      await say(Buffer.concat([message, END]))
      return performance.now() - ended
    },
    close: () => void socket.end('QUIT\r\n'),
  }
}

const END = Buffer.from('.\r\n')

/** The last line of each reply; one that is no success fails. */
async function* repliesOf(socket: Socket): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of socket) {
    text += chunk.toString('latin1')
    for (let end = text.indexOf('\r\n'); end !== -1; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end)
      text = text.slice(end + 2)
      if (!/^[23]/.test(line)) throw new Error(`refused: ${line}`)
      if (line[3] === ' ') yield line
    }
  }
}
