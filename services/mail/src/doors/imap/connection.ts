import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { accessesOf } from '../../hosting/shares/shares.ts'
import type { SignIn } from '../../principal.ts'
import type { Connection } from '../../wire/listen/listen.ts'
import { capabilities } from './capabilities.ts'
import type { Completion } from './command.ts'
import { checkCommand, isUnavailable, runCommand } from './dispatch.ts'
import { type Input, InputEnded } from './input.ts'
import type { ImapLimits } from './limits.ts'
import { FolderGone } from './open-view.ts'
import { BrokenAnswer, createOutput } from './output.ts'
import { EMPTY_SET } from './parse/sequence-set.ts'
import { type ReadContext, readCommand } from './read-command.ts'
import type { ConnectionControl, ImapDoor, ImapParts, ImapSession } from './session.ts'
import { compressedWire, plainWire, type Wire } from './wire.ts'

/** Changes that come one after the other are reported together: the first at once, the others after this. */
const COALESCE_MS = 40
/** A client that may not continue is sent BYE, and is cut off if it does not leave. */
const CUT_OFF_MS = 3_000
/** Commands of one client until others get their turn. */
const TURN = 20
/** How long we wait for a client to close its side too. */
const LINGER_MS = 2_000

/** A connection in conversation. */
export class ImapConnection implements ConnectionControl {
  readonly session: ImapSession
  readonly #limits: ImapLimits
  readonly #stopping: AbortSignal
  readonly #connection: Connection
  /** When it was last a stranger's. */
  #startedAt = performance.now()
  #socket: Socket
  #wire: Wire
  #isTls: boolean
  #isCompressed = false
  #after: 'startTls' | 'compress' | null = null
  /** Why it must end, once it must. */
  #bye: string | null = null
  #leave: (() => void) | null = null
  #bad = 0
  #strangerCommands = 0
  #failures = 0
  #lastReportAt = 0

  constructor(
    connection: Connection,
    { parts, door, limits, stopping }: { parts: ImapParts; door: ImapDoor; limits: ImapLimits; stopping: AbortSignal },
  ) {
    this.#connection = connection
    this.#limits = limits
    this.#stopping = stopping
    this.#socket = connection.socket
    this.#isTls = connection.tls !== null
    if (connection.early.length > 0) connection.socket.unshift(connection.early)
    this.#wire = plainWire(connection.socket, limits.writeMs)
    const session: ImapSession = {
      parts,
      door,
      ip: connection.ip,
      state: 'start',
      signIn: null,
      accesses: async () => {
        if (!session.signIn) throw new Error('nobody has signed in')
        return accessesOf(parts.database.db, session.signIn.address)
      },
      enabled: new Set(),
      view: null,
      notifier: null,
      savedSearch: EMPTY_SET,
      capabilities: () => capabilities(session),
      out: createOutput(() => this.#wire.sink),
      connection: this,
    }
    this.session = session
  }

  get isSecure(): boolean {
    return this.#isTls || this.#connection.startTls === null
  }

  get mayStartTls(): boolean {
    return !this.#isTls && this.#connection.startTls !== null
  }

  get isCompressed(): boolean {
    return this.#isCompressed
  }

  /** Talks until either side ends it. */
  async serve(): Promise<void> {
    const stop = () => this.#end('The server is shutting down, try again soon', { isUrgent: false })
    this.#stopping.addEventListener('abort', stop, { once: true })
    try {
      if (this.#stopping.aborted) stop()
      await this.#serve()
    } catch (error) {
      if (!(error instanceof InputEnded) && !(error instanceof BrokenAnswer))
        this.session.parts.log.error({ err: error }, 'an IMAP session failed')
    } finally {
      this.#stopping.removeEventListener('abort', stop)
      this.#close()
      await linger(this.#socket)
    }
  }

  async ask(prompt: string): Promise<string> {
    const { out } = this.session
    await out.raw(`+ ${prompt}\r\n`)
    await out.flush()
    const line = await this.#input.line({ maxBytes: this.#limits.lineBytes, ms: this.#limits.lineMs })
    if (line) return line.toString('latin1')
    throw new InputEnded('slow')
  }

  async idle({ addressIds, report }: { addressIds: readonly string[]; report: () => Promise<void> }): Promise<string> {
    const { wakeups } = this.session.door
    const stops = addressIds.map((id) => wakeups.watch(id, () => this.wake()))
    const deadline = performance.now() + this.#limits.idleMs
    try {
      await report()
      await this.session.out.flush()
      for (;;) {
        const left = deadline - performance.now()
        const what = await this.#input.arrival(Math.min(left, this.#limits.keepAliveMs))
        if (what === 'bytes') break
        const isOver = left <= 0 || (what === 'late' && left <= this.#limits.keepAliveMs)
        const bye = this.#bye ?? (isOver ? TOO_IDLE : null)
        if (bye !== null) await this.#sayBye(bye)
        if (bye !== null || what === 'closed') throw new InputEnded('closed')
        if (what === 'interrupted') await this.#coalesced(report)
        else await this.#stillHere(report)
        await this.session.out.flush()
      }
    } finally {
      for (const stop of stops) stop()
    }
    const line = await this.#input.line({ maxBytes: this.#limits.lineBytes, ms: this.#limits.lineMs })
    return line?.toString('latin1') ?? ''
  }

  afterAnswer(action: 'startTls' | 'compress'): void {
    this.#after = action
  }

  wake(): void {
    this.#input.interrupt()
  }

  failed(): boolean {
    this.#failures += 1
    return this.#failures >= this.#limits.failedSignIns
  }

  async enter(signIn: SignIn): Promise<boolean> {
    const { live, config } = this.session.parts
    const end = () => this.#end('Sign in again', { isUrgent: true })
    const leave = await live.enter(signIn, { limit: config.imapMaxPerUser, end })
    if (!leave) return false
    this.#leave = leave
    return true
  }

  leave(): void {
    this.#leave?.()
    this.#leave = null
    this.#startedAt = performance.now()
  }

  get #input(): Input {
    return this.#wire.input
  }

  async #serve(): Promise<void> {
    const { session } = this
    const { out, parts } = session
    if (this.#bye === null)
      await out.untagged(`OK [CAPABILITY ${session.capabilities().join(' ')}] ${parts.config.hostname} ready`)
    await out.flush()
    for (let commands = 1; await this.#attend(); commands += 1) {
      const answer = await this.#answer()
      await out.flush()
      if (answer.closes) return
      await this.#afterwards()
      // Commands that wait for nothing would follow each other until no more are here.
      if (commands % TURN === 0) await nextTurn()
    }
  }

  /** Waits for a command; false when there will be none. Meanwhile sends what the client wants to be notified of at once. */
  async #attend(): Promise<boolean> {
    const { session } = this
    const isStranger = session.state === 'start'
    const deadline = isStranger ? this.#startedAt + this.#limits.signInMs : performance.now() + this.#limits.idleMs
    for (;;) {
      if (this.#bye !== null) return this.#sayBye(this.#bye)
      const what = await this.#input.arrival(deadline - performance.now())
      if (this.#bye !== null) continue
      if (what === 'closed') return false
      if (isStranger && performance.now() > deadline) return this.#sayBye('Sign-in timed out')
      if (what === 'bytes') return true
      if (what === 'late') return this.#sayBye(TOO_IDLE)
      if (!(await this.#reportChanges())) return this.#sayBye('The selected folder no longer exists')
    }
  }

  /** False: the selected folder has gone. */
  async #reportChanges(): Promise<boolean> {
    const { notifier, out } = this.session
    if (!notifier) return true
    try {
      await this.#coalesced(() => notifier.report())
      await out.flush()
      return true
    } catch (error) {
      if (error instanceof FolderGone) return false
      throw error
    }
  }

  /** RFC 9051 §7.1.1: keeps the connection open; what could not be reported before is tried again. */
  async #stillHere(report: () => Promise<void>): Promise<void> {
    await this.#coalesced(report)
    await this.session.out.untagged('OK Still here')
  }

  async #answer(): Promise<Completion> {
    const { session } = this
    const received = await readCommand(this.#readContext())
    const isBad = 'answer' in received
    const answer = isBad ? received.answer : await runCommand(session, received)
    const tag = (isBad ? received.tag : received.tag) ?? '*'
    const isGoodBye = !isBad && received.name === 'LOGOUT'
    await session.out.raw(`${tag} ${completionText(answer)}\r\n`)
    this.#bad = answer.status === 'BAD' ? this.#bad + 1 : 0
    this.#strangerCommands = session.state === 'start' ? this.#strangerCommands + 1 : 0
    const isTooMuch = this.#bad >= this.#limits.badCommands || this.#strangerCommands >= this.#limits.strangerCommands
    if (isTooMuch && !answer.closes) await session.out.untagged('BYE Too many invalid commands')
    else if (answer.closes && !isGoodBye) await session.out.untagged(`BYE ${CLOSING}`)
    return isTooMuch ? { ...answer, closes: true } : answer
  }

  #readContext(): ReadContext {
    const { session } = this
    const { parts, out } = session
    return {
      input: this.#input,
      limits: this.#limits,
      blobs: parts.blobs,
      maxMessageBytes: parts.config.maxMessageBytes,
      isSignedIn: session.state !== 'start',
      goOn: async () => {
        await out.raw('+ Ready for literal data\r\n')
        await out.flush()
      },
      check: (name, isUid) => checkCommand(session, name, isUid),
    }
  }

  async #afterwards(): Promise<void> {
    const action = this.#after
    this.#after = null
    if (action === 'compress') {
      const early = this.#wire.input.detach()
      this.#wire = compressedWire(this.#socket, { writeMs: this.#limits.writeMs, early })
      this.#isCompressed = true
    }
    if (action === 'startTls' && this.#connection.startTls) {
      // Bytes received before the handshake were unprotected, and are discarded (RFC 9051 §6.2.1).
      this.#wire.input.detach()
      while (this.#socket.read() !== null);
      this.#socket = await this.#connection.startTls(this.#socket).catch(() => {
        throw new InputEnded('closed')
      })
      this.#wire = plainWire(this.#socket, this.#limits.writeMs)
      this.#isTls = true
    }
  }

  /** Waits a little if it reported something just now. */
  async #coalesced(report: () => Promise<void>): Promise<void> {
    const wait = this.#lastReportAt + COALESCE_MS - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    await report().catch((error: unknown) => {
      // The report is tried again with the next change.
      if (!isUnavailable(error) || this.session.out.isMidLine) throw error
    })
    this.#lastReportAt = performance.now()
  }

  async #sayBye(text: string): Promise<false> {
    await this.session.out.untagged(`BYE ${text}`)
    await this.session.out.flush()
    return false
  }

  #end(reason: string, { isUrgent }: { isUrgent: boolean }): void {
    this.#bye = reason
    this.wake()
    if (isUrgent) setTimeout(() => this.#socket.destroy(), CUT_OFF_MS).unref()
  }

  #close(): void {
    this.session.view?.close()
    this.session.notifier?.close()
    this.leave()
    this.#wire.close()
  }
}

const TOO_IDLE = 'Connection closed after inactivity'
const CLOSING = 'Closing the connection'

const completionText = ({ status, code, text }: Completion): string => `${status} ${code ? `[${code}] ` : ''}${text}`

/** Lets the last words arrive: closing with bytes unread would make the system drop them. */
const linger = async (socket: Socket): Promise<void> => {
  if (socket.destroyed) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LINGER_MS)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.end()
    socket.resume()
  })
  socket.destroy()
}
