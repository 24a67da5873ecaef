import { connect } from 'node:net'

export type MailLoad = {
  /** Connections are spread over them. */
  ports: readonly number[]
  connections: number
  total: number
  messages: readonly Buffer[]
  recipients: readonly string[]
  from: string
}

let sent = 0

/** Sends messages over some connections, envelope commands together as good clients do; gives messages per second. */
export const sendAll = async (load: MailLoad): Promise<number> => {
  const each = Math.ceil(load.total / load.connections)
  const began = performance.now()
  await Promise.all(Array.from({ length: load.connections }, (_, index) => sendSome(load, index, each)))
  return (each * load.connections * 1_000) / (performance.now() - began)
}

const sendSome = ({ ports, messages, recipients, from }: MailLoad, index: number, count: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port: ports[index % ports.length] ?? 0, host: '127.0.0.1', noDelay: true })
    let left = count
    let text = ''
    let state: 'greeting' | 'hello' | 'envelope' | 'message' = 'greeting'
    const envelope = () => {
      state = 'envelope'
      const to = recipients[sent % recipients.length] ?? ''
      socket.write(`MAIL FROM:<${from}>\r\nRCPT TO:<${to}>\r\nDATA\r\n`)
    }
    const content = () => {
      state = 'message'
      sent += 1
      const message = messages[sent % messages.length] ?? Buffer.alloc(0)
      // No two messages are the same.
      socket.write(Buffer.concat([Buffer.from(`X-Number: ${sent} ${process.pid}\r\n`), message, Buffer.from('.\r\n')]))
    }
    const step = (code: string) => {
      if (state === 'greeting') {
        state = 'hello'
        socket.write('EHLO load.example\r\n')
      } else if (state === 'hello') envelope()
      else if (state === 'envelope') {
        if (code === '354') content()
      } else {
        left -= 1
        if (left > 0) return envelope()
        socket.end('QUIT\r\n')
        resolve()
      }
    }
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      for (let end = text.indexOf('\r\n'); end !== -1; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        if (!/^[23]/.test(line)) return reject(new Error(`refused: ${line}`))
        if (line[3] === ' ') step(line.slice(0, 3))
      }
    })
  })
