import { SmtpFailure, type SmtpTimeouts } from './smtp-connection.ts'
import { isPositive, type Reply } from './smtp-replies.ts'
import type { SmtpSession } from './smtp-session.ts'
import { createDotStuffing } from './wire.ts'

export type SmtpEnvelope = {
  /** Empty for the null sender. */
  from: string
  recipients: readonly { address: string; notify: readonly string[] | null; orcpt: string | null }[]
  size: number
  needsUtf8: boolean
  needs8bit: boolean
  envid: string | null
  ret: 'full' | 'hdrs' | null
}

/** The result of one recipient: the peer's reply to its RCPT, or to the message. */
export type RecipientReply = { stage: 'mail' | 'rcpt' | 'data' | 'end'; reply: Reply }

export type MessageInput = {
  envelope: SmtpEnvelope
  /** The message with CRLF line ends, in pieces. */
  body: () => AsyncIterable<Buffer> | Iterable<Buffer>
  /**
   * Asked right before the end of the message is sent, which cannot be taken back: false when somebody else may have
   * taken the message over meanwhile.
   */
  mayFinish: () => boolean
  timeouts: SmtpTimeouts
}

/** The peer had not been asked to take the message yet when the connection failed: it can go elsewhere. */
export const hadNotBegun = new WeakSet<SmtpFailure>()

/**
 * One message to one peer, for all of its recipients (RFC 5321 §3.3, RFC 2920). The result has one entry for each
 * recipient. Throws `SmtpFailure` when the conversation breaks, and then nothing is known.
 */
export const sendMessage = async (session: SmtpSession, input: MessageInput): Promise<RecipientReply[]> => {
  const { line, extensions } = session
  const { envelope, timeouts } = input
  const isPipelined = extensions.has('PIPELINING')
  const commands = [mailCommand(envelope, extensions), ...envelope.recipients.map((to) => rcptCommand(to, extensions))]
  const reset = session.needsReset ? ['RSET'] : []
  session.needsReset = true
  if (isPipelined) line.send([...reset, ...commands, 'DATA'])
  const ask = async (command: string, timeoutMs: number): Promise<Reply> => {
    if (!isPipelined) line.send([command])
    const reply = await line.reply(timeoutMs)
    // RFC 5321 §3.8: nothing more will come on this connection.
    if (reply.code === 421) throw new SmtpFailure('rejected', 'the server closed the connection', { reply })
    return reply
  }
  const mail = await begin(async () => {
    if (reset.length > 0) await ask('RSET', timeouts.command)
    return ask(commands[0] ?? '', timeouts.command)
  })
  // Without pipelining, nothing more is sent after MAIL was refused.
  if (!isPositive(mail) && !isPipelined) return envelope.recipients.map(() => ({ stage: 'mail', reply: mail }))
  const replies: Reply[] = []
  for (const command of commands.slice(1)) replies.push(await ask(command, timeouts.command))
  const accepted = isPositive(mail) ? replies.filter(isPositive).length : 0
  if (accepted === 0 && !isPipelined) return outcomes(mail, replies, null)
  const data = await ask('DATA', timeouts.data)
  if (accepted === 0) {
    // RFC 2920 §3.1: a peer that goes ahead for nobody gets an empty message.
    if (data.code === 354) await finish(session, [Buffer.from('.\r\n')], input)
    return outcomes(mail, replies, null)
  }
  if (data.code !== 354) return outcomes(mail, replies, { stage: 'data', reply: asRefusal(data) })
  const end = await sendBody(session, input)
  session.sent += 1
  session.needsReset = false
  return outcomes(mail, replies, { stage: 'end', reply: end })
}

const begin = async (run: () => Promise<Reply>): Promise<Reply> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof SmtpFailure) hadNotBegun.add(error)
    throw error
  }
}

const sendBody = async (session: SmtpSession, input: MessageInput): Promise<Reply> => {
  const dots = createDotStuffing()
  // The last piece is held back, so that most messages leave with their end in one go.
  let held: Buffer[] = []
  for await (const chunk of input.body()) {
    if (held.length > 0) await session.line.write(held, input.timeouts.block)
    held = dots.push(chunk)
  }
  return finish(session, [...held, dots.end()], input)
}

const finish = async ({ line }: SmtpSession, pieces: readonly Buffer[], input: MessageInput): Promise<Reply> => {
  if (!input.mayFinish()) {
    line.destroy()
    throw new SmtpFailure('cut', 'the message was taken over by another process')
  }
  // The time for the reply covers the rest of the message, too.
  line.post(pieces)
  return line.reply(input.timeouts.end)
}

const outcomes = (mail: Reply, replies: readonly Reply[], rest: RecipientReply | null): RecipientReply[] =>
  replies.map((reply): RecipientReply => {
    if (!isPositive(mail)) return { stage: 'mail', reply: mail }
    if (!isPositive(reply) || rest === null) return { stage: 'rcpt', reply }
    return rest
  })

/** Anything but 354 to DATA means no; a 2xx there is nonsense that must not count as delivered. */
const asRefusal = (reply: Reply): Reply => (reply.code >= 400 ? reply : { ...reply, code: 451 })

const mailCommand = (envelope: SmtpEnvelope, extensions: ReadonlyMap<string, string>): string => {
  const { from, size, ret, envid } = envelope
  const parameters = [
    extensions.has('SIZE') ? `SIZE=${size}` : '',
    envelope.needs8bit && extensions.has('8BITMIME') ? 'BODY=8BITMIME' : '',
    envelope.needsUtf8 && extensions.has('SMTPUTF8') ? 'SMTPUTF8' : '',
    ...(extensions.has('DSN') ? [ret ? `RET=${ret.toUpperCase()}` : '', envid ? `ENVID=${xtext(envid)}` : ''] : []),
  ]
  return ['MAIL', `FROM:<${from}>`, ...parameters].filter((part) => part !== '').join(' ')
}

const rcptCommand = (
  { address, notify, orcpt }: SmtpEnvelope['recipients'][number],
  extensions: ReadonlyMap<string, string>,
): string => {
  const separator = orcpt?.indexOf(';') ?? -1
  const parameters = extensions.has('DSN')
    ? [
        notify && notify.length > 0 ? `NOTIFY=${notify.join(',').toUpperCase()}` : '',
        orcpt && separator > 0 ? `ORCPT=${orcpt.slice(0, separator)};${xtext(orcpt.slice(separator + 1))}` : '',
      ]
    : []
  return ['RCPT', `TO:<${address}>`, ...parameters].filter((part) => part !== '').join(' ')
}

/** RFC 3461 §4 */
const xtext = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .replace(
      /[^\x21-\x2a\x2c-\x3c\x3e-\x7e]/g,
      (character) => `+${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
