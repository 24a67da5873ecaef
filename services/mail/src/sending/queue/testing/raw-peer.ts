import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** A peer's answer to a line; undefined for none. Text is sent as it is. */
export type Answer = (line: string, peer: { socket: Socket; isData: boolean }) => string | undefined

export type RawPeer = {
  port: number
  /** Every line that was received, without those of messages. */
  lines: string[]
  /** The lines of messages, as they came. */
  data: string[]
  /** Messages that came to their end, dots still doubled, whatever was replied. */
  messages: { raw: Buffer }[]
  connections(): number
  close(): Promise<void>
}

/** A mail host that sends exactly what a test wants, byte by byte, also what no server should send. */
export const startRawPeer = async (
  answer: Answer,
  greeting: string | null = '220 raw.test\r\n',
  at: { host: string; port: number } = { host: '127.0.0.1', port: 0 },
): Promise<RawPeer> => {
  const lines: string[] = []
  const data: string[] = []
  const messages: { raw: Buffer }[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    let isData = false
    let rest = ''
    let body = ''
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    socket.setNoDelay(true)
    if (greeting !== null) socket.write(greeting)
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1')
      for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
        const line = rest.slice(0, end + 1)
        rest = rest.slice(end + 1)
        if (isData && line !== '.\r\n') {
          data.push(line)
          body += line
          continue
        }
        if (isData) {
          messages.push({ raw: Buffer.from(body, 'latin1') })
          body = ''
        }
        lines.push(line.trimEnd())
        const reply = answer(line.trimEnd(), { socket, isData })
        isData = line.trimEnd() === 'DATA' && reply?.startsWith('354') === true
        if (reply !== undefined && !socket.destroyed) socket.write(reply)
      }
    })
  })
  server.listen(at.port, at.host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the raw peer has no port')
  return {
    port: address.port,
    lines,
    data,
    messages,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A host that accepts everything, with these lines after EHLO. */
export const polite =
  (...extensions: string[]): Answer =>
  (line) => {
    if (line.startsWith('EHLO')) return ehlo(...extensions)
    if (line === 'DATA') return '354 go\r\n'
    if (line.startsWith('QUIT')) return '221 bye\r\n'
    return '250 2.0.0 ok\r\n'
  }

export const ehlo = (...extensions: string[]): string => {
  const all = ['raw.test', ...extensions]
  return all.map((text, index) => `250${index === all.length - 1 ? ' ' : '-'}${text}\r\n`).join('')
}
