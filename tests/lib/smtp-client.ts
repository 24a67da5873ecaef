import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** A client on the raw socket that says exactly what a test wants, right or wrong. */
export type SmtpClient = {
  socket: Socket
  /** Writes bytes as they are. */
  raw(bytes: string | Uint8Array): void
  /** The next reply, all its lines. Fails when the connection ends before one. */
  reply(timeoutMs?: number): Promise<SmtpReply>
  /** Sends a line and gives the answer to it. */
  say(line: string): Promise<SmtpReply>
  /** Everything received until the other side closes the connection. */
  rest(timeoutMs?: number): Promise<string>
  /** STARTTLS and the handshake, without EHLO after it. `injected` is sent together with the command. */
  startTls(injected?: string): Promise<void>
  /** MAIL, RCPT, DATA and the message, dots stuffed; gives the last answer. */
  mail(envelope: { from: string; to: readonly string[] }, message: string | Buffer): Promise<SmtpReply>
  close(): void
}

export type SmtpReply = { code: number; text: string; lines: string[] }

export type SmtpClientOptions = {
  port: number
  host?: string
  /** Address of this machine that the client comes from. */
  localAddress?: string
  tls?: boolean
  /** Does not read the greeting. */
  isSilent?: boolean
}

const TIMEOUT_MS = 120_000

export const connectSmtp = async (options: SmtpClientOptions): Promise<SmtpClient> => {
  const { port, host = '127.0.0.1', localAddress } = options
  const plain = connectTcp({ port, host, noDelay: true, ...(localAddress ? { localAddress } : {}) })
  await once(plain, 'connect')
  let line = await wire(plain, options.tls === true)

  const client: SmtpClient = {
    get socket() {
      return line.socket
    },
    raw: (bytes) => void line.socket.write(bytes),
    reply: (timeoutMs) => line.reply(timeoutMs),
    async say(text) {
      client.raw(`${text}\r\n`)
      return client.reply()
    },
    rest: (timeoutMs) => line.rest(timeoutMs),
    async startTls(injected = '') {
      client.raw(`STARTTLS\r\n${injected}`)
      const { code, text } = await client.reply()
      if (code !== 220) throw new Error(`STARTTLS: ${text}`)
      line.detach()
      line = await wire(line.socket, true)
    },
    async mail({ from, to }, message) {
      for (const text of [`MAIL FROM:<${from}>`, ...to.map((address) => `RCPT TO:<${address}>`)]) {
        const answer = await client.say(text)
        if (answer.code !== 250) return answer
      }
      const ready = await client.say('DATA')
      if (ready.code !== 354) return ready
      client.raw(stuffed(message))
      client.raw('.\r\n')
      return client.reply()
    },
    close: () => void line.socket.destroy(),
  }
  if (!options.isSilent) await client.reply()
  return client
}

/** A message as it goes over the wire, without the dot that ends it. */
export const stuffed = (message: string | Buffer): Buffer => {
  const text = Buffer.from(message).toString('latin1')
  const whole = text === '' || text.endsWith('\r\n') ? text : `${text}\r\n`
  return Buffer.from(whole.replace(/^\./gm, '..'), 'latin1')
}

const wire = async (socket: Socket, isSecure: boolean) => {
  const secured = isSecure ? connectTls({ socket, rejectUnauthorized: false }) : socket
  if (isSecure) await once(secured, 'secureConnect')
  let text = ''
  let isClosed = false
  let wake: () => void = () => undefined
  const onData = (chunk: Buffer) => {
    text += chunk.toString('latin1')
    wake()
  }
  const onClose = () => {
    isClosed = true
    wake()
  }
  secured.on('data', onData)
  secured.on('close', onClose)
  secured.on('end', onClose)
  secured.on('error', onClose)
  const until = async <T>(look: () => T | null, timeoutMs: number): Promise<T> => {
    const deadline = Date.now() + timeoutMs
    for (;;) {
      const found = look()
      if (found !== null) return found
      const left = deadline - Date.now()
      if (left <= 0) throw new Error(`no answer in ${timeoutMs} ms; so far: ${text}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  return {
    socket: secured,
    reply: (timeoutMs = TIMEOUT_MS): Promise<SmtpReply> =>
      until(() => {
        const found = /^(?:\d{3}-.*\r\n)*(\d{3})(?: .*)?\r\n/.exec(text)
        if (!found) {
          if (isClosed) throw new Error(`closed without an answer: ${JSON.stringify(text)}`)
          return null
        }
        text = text.slice(found[0].length)
        const lines = found[0].trimEnd().split('\r\n')
        return { code: Number(found[1]), text: lines.join('\n'), lines: lines.map((line) => line.slice(4)) }
      }, timeoutMs),
    rest: (timeoutMs = TIMEOUT_MS): Promise<string> => until(() => (isClosed ? text : null), timeoutMs),
    detach() {
      secured.off('data', onData)
      secured.off('close', onClose)
      secured.off('end', onClose)
      secured.off('error', onClose)
      secured.on('error', () => undefined)
    },
  }
}
