import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export type SieveReply = {
  status: 'OK' | 'NO' | 'BYE'
  /** What stands in parentheses, its strings undone. */
  code: string | null
  text: string
  /** The lines before it: strings, and words such as ACTIVE. */
  lines: string[][]
}

/** A client that takes nothing but what RFC 5804 §4 allows a server to say. */
export type SieveClient = {
  socket: Socket
  raw(bytes: string | Uint8Array): void
  reply(timeoutMs?: number): Promise<SieveReply>
  /** Sends a command line and gives the answer to it. */
  say(line: string): Promise<SieveReply>
  /** A line of the server that ends no command. */
  challenge(): Promise<string>
  startTls(injected?: string): Promise<SieveReply>
  signIn(email: string, password: string): Promise<SieveReply>
  put(name: string, script: string): Promise<SieveReply>
  /** Resolves when the server has closed. */
  closed(timeoutMs?: number): Promise<void>
  close(): void
}

const TIMEOUT_MS = 15_000

export const literal = (text: string): string => `{${Buffer.byteLength(text)}+}\r\n${text}`
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
export const plain = (email: string, password: string): string =>
  Buffer.from(`\0${email}\0${password}`).toString('base64')

/** Connects and reads the greeting. */
export const connectSieve = async ({
  port,
}: {
  port: number
}): Promise<{ client: SieveClient; greeting: SieveReply }> => {
  const tcp = connectTcp({ port, host: '127.0.0.1', noDelay: true })
  await once(tcp, 'connect')
  let wire = listen(tcp)
  const client: SieveClient = {
    get socket() {
      return wire.socket
    },
    raw: (bytes) => void wire.socket.write(bytes),
    reply: (timeoutMs) => wire.reply(timeoutMs),
    async say(line) {
      client.raw(`${line}\r\n`)
      return client.reply()
    },
    challenge: () => wire.string(),
    async startTls(injected = '') {
      client.raw(`STARTTLS\r\n${injected}`)
      const answer = await client.reply()
      if (answer.status !== 'OK') throw new Error(`STARTTLS: ${answer.text}`)
      wire.detach()
      const secured = connectTls({ socket: wire.socket, rejectUnauthorized: false })
      await once(secured, 'secureConnect')
      wire = listen(secured)
      return client.reply()
    },
    signIn: (email, password) => client.say(`AUTHENTICATE "PLAIN" "${plain(email, password)}"`),
    put: (name, script) => client.say(`PUTSCRIPT ${quoted(name)} ${literal(script)}`),
    closed: (timeoutMs) => wire.closed(timeoutMs),
    close: () => wire.socket.destroy(),
  }
  return { client, greeting: await client.reply() }
}

class Unfinished extends Error {}

const listen = (socket: Socket) => {
  let bytes = Buffer.alloc(0)
  let hasEnded = false
  let wake: () => unknown = () => undefined
  const onData = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    wake()
  }
  const onEnd = () => {
    hasEnded = true
    wake()
  }
  socket.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd)

  const until = async <R>(read: () => R, timeoutMs = TIMEOUT_MS): Promise<R> => {
    const deadline = Date.now() + timeoutMs
    for (;;) {
      const before = bytes
      try {
        return read()
      } catch (error) {
        bytes = before
        if (!(error instanceof Unfinished)) throw error
        if (hasEnded) throw new Error(`the server closed after ${JSON.stringify(bytes.toString())}`)
        if (Date.now() >= deadline) throw new Error(`no answer, only ${JSON.stringify(bytes.toString())}`)
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadline - Date.now())
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const take = (length: number): Buffer => {
    if (bytes.length < length) throw new Unfinished()
    const taken = bytes.subarray(0, length)
    bytes = bytes.subarray(length)
    return taken
  }
  const match = (pattern: RegExp): string[] | null => {
    const found = pattern.exec(bytes.toString('latin1'))
    if (!found) return null
    take(found[0].length)
    return [...found]
  }
  const readString = (): string | null => {
    const header = match(/^\{(\d+)\}\r\n/)
    if (header) return take(Number(header[1])).toString()
    const found = match(/^"((?:[^"\\\r\n]|\\["\\])*)"/)
    if (!found) return null
    if ((found[1] ?? '').length > 1_024) throw new Error('a quoted string is too long')
    return Buffer.from((found[1] ?? '').replace(/\\(["\\])/g, '$1'), 'latin1').toString()
  }
  const newline = (): void => {
    if (take(2).toString() !== '\r\n') throw new Error('a line does not end with CRLF')
  }
  const readCode = (): string | null => {
    if (!match(/^ \(/)) return null
    const [, name = ''] = match(/^([A-Z/-]+)/) ?? []
    const value = match(/^ /) ? readString() : null
    if (!match(/^\)/)) throw new Error('a response code does not end')
    return value === null ? name : `${name} ${value}`
  }
  const readReply = (): SieveReply => {
    const lines: string[][] = []
    for (;;) {
      if (!bytes.includes('\r\n')) throw new Unfinished()
      const status = match(/^(OK|NO|BYE)(?=[ \r])/)
      if (status) {
        const code = readCode()
        const text = match(/^ /) ? readString() : ''
        if (text === null) throw new Unfinished()
        newline()
        return { status: status[1] as SieveReply['status'], code, text, lines }
      }
      const words: string[] = []
      for (;;) {
        const word = readString() ?? match(/^(ACTIVE)/)?.[1]
        if (word === undefined) throw new Error(`not a line: ${JSON.stringify(bytes.toString())}`)
        words.push(word)
        if (!match(/^ /)) break
      }
      newline()
      lines.push(words)
    }
  }
  return {
    socket,
    reply: (timeoutMs?: number) => until(readReply, timeoutMs),
    string: () =>
      until(() => {
        const text = readString()
        if (text === null) throw new Unfinished()
        newline()
        return text
      }),
    closed: (timeoutMs?: number) =>
      until(() => {
        bytes = Buffer.alloc(0)
        if (!hasEnded) throw new Unfinished()
      }, timeoutMs),
    detach: () => socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd),
  }
}
