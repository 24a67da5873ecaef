import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { fault } from '../errors.ts'
import type { Log } from '../log.ts'
import { prepareBegin, queryWithBegin } from './begin.ts'
import { isAborted, isConnectionCut, isConnectionLost, isRetryable, translateDatabaseError } from './errors.ts'
import { kyselyOver, type RunStatement } from './kysely.ts'
import { beginSession, type DbSession, openDirect } from './session.ts'
import { MANY_ROWS } from './uuid-array.ts'

/** Reads. A statement outside a transaction, on any free connection. */
export type Db<T> = Pick<
  Kysely<T>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'fn' | 'dynamic' | 'getExecutor'
> & {
  /** Hand-written SQL; give it a `name` on hot paths and PostgreSQL keeps the plan. */
  query<R extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<R[]>
}

/** A change, published to this and every other process once the transaction has committed. */
export type Change = { topic: string; event: string; data: Record<string, unknown> }

/** Writes. Passes wherever a `Db` is asked; a `Db` does not pass where a `Tx` is asked. */
export type Tx<T> = Db<T> &
  Pick<Kysely<T>, 'insertInto' | 'updateTable' | 'deleteFrom' | 'mergeInto' | 'replaceInto'> & {
    /** Published after commit, dropped on rollback. */
    readonly changes: Change[]
  }

/**
 * Takes part in commits: the statement that `inside` returns, if any, is the last of the transaction; `after` is called
 * once it is durable.
 */
export type CommitHook = {
  inside?(changes: readonly Change[]): pg.QueryConfig | undefined
  /**
   * With the result of the statement of `inside`. The commit is only confirmed to the caller once this promise
   * resolves.
   */
  after(changes: readonly Change[], rows: readonly pg.QueryResultRow[]): void | Promise<void>
}

export type StatementWatch = {
  readonly texts: readonly string[]
  /** How often a statement went out that was not sent together with the one before. */
  readonly roundTrips: number
  stop(): void
}

export type Database<T> = {
  readonly db: Db<T>
  /**
   * Runs the callback in one transaction; repeats it whole on serialization failure or deadlock. Statements that do not
   * need each other's answers may be sent at once (`Promise.all`): they run in that order, and wait once.
   */
  tx<R>(run: (tx: Tx<T>) => Promise<R>): Promise<R>
  readonly pool: pg.Pool
  /** URL without a pooler: for LISTEN, and for callers that open a session of their own. */
  readonly directUrl: string
  /** A session to oneself, for locks and settings that outlast a transaction; they end with it. */
  openSession(): Promise<DbSession>
  /** Fails with `unavailable` when the server does not answer. */
  ping(): Promise<void>
  onCommit(hook: CommitHook): void
  /** Records every statement until stopped: for tests that fix a request's cost. */
  watchStatements(): StatementWatch
  close(): Promise<void>
}

export type DatabaseOptions = {
  url: string
  /** The same database without a pooler in between: poolers give sessions to others after each transaction. */
  directUrl?: string | undefined
  poolSize: number
  log: Log
  applicationName?: string
  /** How long a request waits for a connection; three seconds if absent. */
  connectTimeoutMs?: number
  statementTimeoutMs?: number
}

/** Waiting for a connection plus one hanging statement stays under the ten seconds a request may take. */
const CONNECT_TIMEOUT_MS = 3_000
const STATEMENT_TIMEOUT_MS = 5_000
/** Ends statements whose server no longer answers at all; above the server's own limit. */
const ANSWER_TIMEOUT_MARGIN_MS = 1_000
const IDLE_IN_TRANSACTION_MS = 10_000
const MAX_TRANSACTION_ATTEMPTS = 4
/** With the wait for a connection under five seconds, in which readiness must show that the server is away. */
const PING = { text: 'select 1', query_timeout: 1_500 }

export const openDatabase = <T>(options: DatabaseOptions): Database<T> => {
  const statementTimeout = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS
  const connectTimeout = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS
  const limits = {
    statementMs: statementTimeout,
    idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
    answerMs: connectTimeout,
  }
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: connectTimeout,
    verify: (client, done) => void beginSession(client, limits).then(() => done(), done),
    query_timeout: statementTimeout + ANSWER_TIMEOUT_MARGIN_MS,
    application_name: options.applicationName ?? 'stoa',
    pipeline: true,
    types: { getTypeParser },
  })
  // An idle connection that the server ended is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => {
    // The driver hangs the whole client on its error, with the keys of the connection.
    if (!pool.ending) options.log.warn({ reason: error.message }, 'an idle database connection was lost')
  })

  const watches = new Set<{ texts: string[]; roundTrips: number }>()
  const underWay = new WeakMap<pg.PoolClient, number>()
  const hooks: CommitHook[] = []
  const broken = new WeakSet<pg.PoolClient>()
  const openedAt = new WeakMap<pg.PoolClient, number>()
  const currentTransaction = new AsyncLocalStorage<{ ended: boolean }>()
  // The pool stops listening while a connection is in use: lost between two statements, it would end the process.
  pool.on('connect', (client) => {
    openedAt.set(client, performance.now())
    client.on('error', () => broken.add(client))
    prepareBegin(client).catch(() => broken.add(client))
  })

  const execute = async (
    client: pg.PoolClient,
    statement: pg.QueryConfig,
    isFirst = false,
  ): Promise<pg.QueryResult> => {
    const before = underWay.get(client) ?? 0
    for (const watch of watches) {
      if (isFirst) watch.texts.push('begin')
      watch.texts.push(statement.text)
      if (before === 0) watch.roundTrips += 1
    }
    underWay.set(client, before + 1)
    writeTogether(client)
    try {
      const planned = withPlan(statement)
      return await (isFirst ? queryWithBegin(client, planned) : client.query(planned))
    } catch (error) {
      if (isConnectionLost(error)) broken.add(client)
      throw translateDatabaseError(error)
    } finally {
      underWay.set(client, (underWay.get(client) ?? 1) - 1)
    }
  }
  const connect = () =>
    pool.connect().catch((error: unknown) => {
      throw translateDatabaseError(error)
    })
  const release = (client: pg.PoolClient) => {
    const isBroken = broken.has(client)
    // The driver would wait for answers that nobody waits for any more, and the server for us.
    if (isBroken && client instanceof pg.Client) client.connection.stream.destroy()
    client.release(isBroken)
  }

  const runOn = async (client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult> => {
    try {
      refuseIllFormed(statement.values)
      return await execute(client, statement)
    } finally {
      release(client)
    }
  }
  /** Whatever cut one connection has usually cut the pool's idle ones, too: only newer connections are used. */
  const connectAfter = async (moment: number): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await connect()
      if ((openedAt.get(client) ?? 0) > moment) return client
      client.release(true)
    }
  }
  const runOnPool: RunStatement = async (statement) => {
    const client = await connect()
    try {
      return await runOn(client, statement)
    } catch (error) {
      if (!isConnectionCut(error) || !isRead(statement.text)) throw error
      return runOn(await connectAfter(performance.now()), statement)
    }
  }

  const attempt = async <R>(run: (tx: Tx<T>) => Promise<R>): Promise<Committed<R>> => {
    const client = await connect()
    const state = { ended: false }
    const changes: Change[] = []
    let failure: unknown
    let latest: Promise<unknown> = Promise.resolve()
    let hasBegun = false
    const send = async (statement: pg.QueryConfig): Promise<pg.QueryResult> => {
      refuseIllFormed(statement.values)
      const isFirst = !hasBegun
      hasBegun = true
      return execute(client, statement, isFirst)
    }
    const runInside: RunStatement = (statement) => {
      if (state.ended)
        throw new Error('This transaction has ended: its tx must not be used after the callback returned')
      const earlier = latest
      const sent = send(statement).catch(async (error: unknown) => {
        // Statements that were sent together fail together; the first one has the cause.
        if (isAborted(error)) await earlier
        else failure ??= error
        throw failure ?? error
      })
      latest = sent.catch(() => undefined)
      return sent
    }
    try {
      const result = await currentTransaction.run(state, () => run(writer<T>(runInside, changes)))
      const last = changes.length === 0 ? [] : hooks.map((hook) => hook.inside?.(changes))
      state.ended = true
      if (!hasBegun && last.length === 0) return { result, changes, rows: [] }
      // Sent together: when one of them fails, what is committed is nothing.
      const ending = [...last, { text: 'commit' }].map((statement) => statement && send(statement))
      const answers = await Promise.all(ending)
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, and without an error.
      if (answers.at(-1)?.command !== 'COMMIT')
        throw new Error('A statement failed and its error was swallowed: nothing was written')
      return { result, changes, rows: answers.map((answer) => answer?.rows ?? []) }
    } catch (error) {
      state.ended = true
      if (hasBegun) await rollBack(client)
      throw error
    } finally {
      release(client)
    }
  }

  const rollBack = async (client: pg.PoolClient) => {
    if (broken.has(client)) return
    await execute(client, { text: 'rollback' }).catch((error: unknown) => {
      broken.add(client)
      options.log.warn({ err: error }, 'a transaction could not be rolled back; its connection is dropped')
    })
  }

  const attemptUntilCommitted = async <R>(run: (tx: Tx<T>) => Promise<R>) => {
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt(run)
      } catch (error) {
        if (!isRetryable(error) || tried >= MAX_TRANSACTION_ATTEMPTS) throw error
        await sleep(Math.random() * 20 * 2 ** tried)
      }
    }
  }

  return {
    db: reader<T>(runOnPool),
    async tx(run) {
      if (currentTransaction.getStore()?.ended === false)
        throw new Error('A transaction is already open: pass its tx instead of nesting')
      const { result, changes, rows } = await attemptUntilCommitted(run)
      if (changes.length === 0) return result
      const waiting = hooks.map((hook, index) => hook.after(changes, rows[index] ?? []))
      if (waiting.some((each) => each !== undefined)) await Promise.all(waiting)
      return result
    },
    pool,
    directUrl: options.directUrl ?? options.url,
    async openSession() {
      if (options.directUrl !== undefined) return openDirect(options.directUrl, connectTimeout)
      const client = await connect()
      return { client, end: () => client.release(true) }
    },
    async ping() {
      await runOnPool(PING)
    },
    onCommit(hook) {
      hooks.push(hook)
    },
    watchStatements() {
      const watch = { texts: [], roundTrips: 0 }
      watches.add(watch)
      return Object.assign(watch, { stop: () => void watches.delete(watch) })
    },
    close: () => pool.end(),
  }
}

/** Everything sent in one turn of the event loop goes to the socket in one write. */
const writeTogether = ({ connection: { stream } }: pg.PoolClient): void => {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** `rows`: what the statements of the hooks answered, in their order. */
type Committed<R> = { result: R; changes: readonly Change[]; rows: readonly pg.QueryResultRow[][] }

const reader = <T>(run: RunStatement): Db<T> => facade<T>(run)

const writer = <T>(run: RunStatement, changes: Change[]): Tx<T> => Object.assign(facade<T>(run), { changes })

const facade = <T>(run: RunStatement) =>
  Object.assign(kyselyOver<T>(run), {
    query: async <R extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<R[]> => (await run(statement)).rows,
  })

/** Whether a statement may run twice: it reads, and says so. */
const isRead = (text: string): boolean =>
  /^\s*(select|with)\b/i.test(text) && !/\b(insert|update|delete|merge|nextval|setval|pg_notify)\b/i.test(text)

/**
 * For many rows a plan is made anew. The one that PostgreSQL keeps under the name may be of a time when there were hardly
 * any, and reads a whole table for each of them; nobody notices before the tables are analysed again.
 */
const withPlan = (statement: pg.QueryConfig): pg.QueryConfig => {
  const isForMany = statement.values?.some((value) => Array.isArray(value) && value.length > MANY_ROWS) ?? false
  if (!isForMany || statement.name === undefined) return statement
  const { name: _, ...unnamed } = statement
  return unnamed
}

/** The driver would silently replace a lone surrogate by U+FFFD; what cannot be stored is refused instead. */
const refuseIllFormed = (values: readonly unknown[] | undefined): void => {
  if (!values) return
  for (const value of values) {
    if (Array.isArray(value)) refuseIllFormed(value)
    else if (typeof value === 'string' && !value.isWellFormed())
      throw fault('invalid_value', { reason: "contains a character that can't be stored" })
  }
}

const INT8 = 20
const DATE = 1082
const TIMESTAMPTZ = 1184
const TEXTS: number = 1009
const UUIDS = 2951

/** Counts are numbers, and a calendar date is text: it has no zone to be converted into. */
const getTypeParser = (oid: number, format?: string) => {
  if (oid === INT8) return parseInt8
  if (oid === DATE) return (text: string) => text
  if (oid === TIMESTAMPTZ && format !== 'binary') return parseMoment
  if ((oid === TEXTS || oid === UUIDS) && format !== 'binary') return parseTexts
  return pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text')
}

const parseAnyMoment = pg.types.getTypeParser(TIMESTAMPTZ, 'text')

/** `2026-01-31 08:05:09.123456+00`: a moment in UTC since 1970, whose digits stand in their places. */
const PLAIN_MOMENT = /^(?:19[7-9]|2\d\d)\d-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/

/** Most moments are plain, and rows have several: they are read without taking the text apart. */
const parseMoment = (text: string): unknown => {
  if (!PLAIN_MOMENT.test(text)) return parseAnyMoment(text)
  const digit = (at: number): number => text.charCodeAt(at) - 48
  const two = (at: number): number => digit(at) * 10 + digit(at + 1)
  /** A digit of the fraction, or 0 past its end. The zone takes the last three characters. */
  const fraction = (at: number): number => (at < text.length - 3 ? digit(at) : 0)
  const ms = fraction(20) * 100 + fraction(21) * 10 + fraction(22)
  return new Date(Date.UTC(two(0) * 100 + two(2), two(5) - 1, two(8), two(11), two(14), two(17), ms))
}

const parseAnyTexts = pg.types.getTypeParser(TEXTS, 'text')

/** Most of them need no quotes, and have nothing else that would have to be looked at letter by letter. */
const parseTexts = (text: string): unknown => {
  if (text === '{}') return []
  return /^\{[^{"\\]*\}$/.test(text) && !text.includes('NULL') ? text.slice(1, -1).split(',') : parseAnyTexts(text)
}

const parseInt8 = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number; select it as text`)
  return value
}
