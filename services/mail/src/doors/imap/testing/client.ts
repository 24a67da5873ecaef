import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** The server's answer to one command: all lines before the tagged one, and that one without the tag. */
export type Answer = { lines: string[]; tagged: string }

/** A client that sends given lines, and reads whole responses: literals stand in them as they came. */
export type ImapClient = {
  readonly socket: Socket
  readonly greeting: string
  /** The next response, with its literals; fails when nothing comes. `null`: the connection has ended. */
  response(ms?: number): Promise<string | null>
  /** Sends a command with a tag of its own and reads up to its tagged answer. Literals are sent when asked for. */
  say(command: string | readonly (string | Buffer)[]): Promise<Answer>
  /** The same; fails unless the answer is OK. */
  ok(command: string | readonly (string | Buffer)[]): Promise<string[]>
  /** Sends bytes as they are. */
  write(bytes: string | Buffer): void
  /** Begins TLS on this connection. */
  startTls(): Promise<void>
  close(): void
}

const WAIT_MS = 15_000

export const connectImap = async ({ port, isTls = false }: { port: number; isTls?: boolean }): Promise<ImapClient> => {
  let socket: Socket = isTls
    ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : connect(port, '127.0.0.1')
  let buffered = ''
  let hasEnded = false
  let wake: (() => void) | null = null
  let tags = 0
  const listen = () => {
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      buffered += chunk
      wake?.()
    })
    for (const event of ['end', 'close', 'error'])
      socket.on(event, () => {
        hasEnded = true
        wake?.()
      })
  }
  listen()
  const response = async (ms = WAIT_MS): Promise<string | null> => {
    const deadline = performance.now() + ms
    for (;;) {
      const end = responseEnd(buffered)
      if (end > 0) {
        const text = buffered.slice(0, end - 2)
        buffered = buffered.slice(end)
        return text
      }
      if (hasEnded) return null
      const left = deadline - performance.now()
      if (left <= 0) throw new Error(`nothing came; so far: ${JSON.stringify(buffered)}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      wake = null
    }
  }
  const say = async (command: string | readonly (string | Buffer)[]): Promise<Answer> => {
    tags += 1
    const tag = `t${tags}`
    const [first = '', ...rest] = typeof command === 'string' ? [command] : command
    socket.write(`${tag} ${first}\r\n`)
    const lines: string[] = []
    for (;;) {
      const line = await response()
      if (line === null) throw new Error(`the connection ended: ${lines.join(' | ')}`)
      if (line.startsWith(`${tag} `)) return { lines, tagged: line.slice(tag.length + 1) }
      if (!line.startsWith('+')) {
        lines.push(line)
        continue
      }
      const [piece, next] = rest.splice(0, 2)
      if (piece === undefined) throw new Error('the server wants more than there is')
      socket.write(piece)
      socket.write(`${next ?? ''}\r\n`)
    }
  }
  const greeting = (await response()) ?? ''
  return {
    get socket() {
      return socket
    },
    greeting,
    response,
    say,
    async ok(command) {
      const { lines, tagged } = await say(command)
      if (!tagged.startsWith('OK')) throw new Error(`${String(command)}: ${tagged}`)
      return lines
    },
    write: (bytes) => void socket.write(bytes),
    async startTls() {
      socket.removeAllListeners()
      const secured = connectTls({ socket, rejectUnauthorized: false })
      await once(secured, 'secureConnect')
      socket = secured
      listen()
    },
    close: () => socket.destroy(),
  }
}

/** Where the first response ends, with all of its literals; 0 if it has not come whole. */
const responseEnd = (text: string): number => {
  for (let at = 0; ; ) {
    const end = text.indexOf('\r\n', at)
    if (end === -1) return 0
    const literal = /\{(\d+)\}$/.exec(text.slice(at, end))
    if (!literal) return end + 2
    at = end + 2 + Number(literal[1])
  }
}
