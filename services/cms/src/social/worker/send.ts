import { Fault } from '@stoa/kit/errors.ts'
import { type TargetAccount, targetAccounts } from '../accounts/accounts.ts'
import { LineCut, NetworkFailure, type NetworkHttp, type Outgoing, type Posted } from '../networks/networks.ts'
import {
  ACCOUNT_GONE,
  factsOf,
  HOUR_MS,
  INTERNAL,
  INTERRUPTED,
  isDefiniteNo,
  MAX_ATTEMPTS,
  missed,
  NETWORK_OFF,
  OUTCOME_UNKNOWN,
  PROCESSING_TIMEOUT,
} from './failures.ts'
import { outgoingOf } from './outgoing.ts'
import { askAgain, ClaimLost, callNetwork, checkpoint, settleFailed, settlePosted, type TargetRun } from './run.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const POLL_MS = [2, 4, 8, 15, 30].map((seconds) => seconds * SECOND_MS)
const LAST_POLL_MS = 30 * SECOND_MS
const IMAGE_WAIT_MS = 10 * MINUTE_MS
const VIDEO_WAIT_MS = 60 * MINUTE_MS
/** A network that just failed is asked a little later whether it took the post. */
const RECONCILE_AGAIN_MS = 5 * SECOND_MS
const MAX_RECONCILES = 3
/** Well before the lease of a process that stands still is over. */
const COMMIT_WITHIN_MS = 30 * SECOND_MS

/** Brings a target one claim further: out, failed, or to the next time when its network is asked. */
export const sendTarget = async (run: TargetRun): Promise<void> => {
  try {
    await (isCommitted(run) ? afterCommit(run) : beforeCommit(run))
  } catch (error) {
    if (error instanceof ClaimLost) return
    throw error
  }
}

const isCommitted = ({ claim }: TargetRun): boolean => claim.row.step === 'committing' || claim.row.step === 'confirm'

const beforeCommit = async (run: TargetRun): Promise<void> => {
  const { row } = run.claim
  const { socialLateHours } = run.ctx.config
  const isLate = run.ctx.now().getTime() - row.dueAt.getTime() > socialLateHours * HOUR_MS
  if (row.step === 'prepare' && isLate && row.attempts <= 1) return settleFailed(run, missed(socialLateHours))
  if (row.attempts > MAX_ATTEMPTS) return settleFailed(run, INTERRUPTED)
  const [account] = await targetAccounts(run.ctx.db, [row.accountId])
  if (!isConnected(account)) return settleFailed(run, ACCOUNT_GONE)
  if (!account.isNetworkEnabled) return settleFailed(run, NETWORK_OFF)
  let outgoing: Outgoing
  try {
    outgoing = await outgoingOf(run.ctx, run.network, { id: run.claim.id, ...row })
    if (row.step === 'prepare' && row.isUnsure) {
      const earlier = await findEarlier(run, outgoing)
      if (earlier === 'unknown') return settleFailed(run, OUTCOME_UNKNOWN)
      if (earlier !== 'not-posted') return confirm(run, outgoing, earlier)
    }
    if (row.step !== 'wait') await upload(run, outgoing)
    if (!(await isReady(run, outgoing))) return
  } catch (error) {
    return failBefore(run, error)
  }
  await commit(run, outgoing)
}

const isConnected = (account: TargetAccount | undefined): account is TargetAccount =>
  account !== undefined && account.status !== 'disconnected'

/**
 * An earlier attempt may have arrived after we looked for it. If that is unknown, only a person sends it again, from
 * the start: the uploads of the old attempt may have expired.
 */
const findEarlier = async (run: TargetRun, outgoing: Outgoing): Promise<Posted | 'not-posted' | 'unknown'> => {
  const isByPerson = run.claim.row.attempts <= 1
  const found = await lookFor(run, outgoing).catch((error: unknown) => {
    if (run.signal.aborted || error instanceof ClaimLost || isPassing(error)) throw error
    return 'unknown' as const
  })
  if (!isByPerson || typeof found !== 'string') return found
  await checkpoint(run, { progress: '{}' })
  run.progress = {}
  return 'not-posted'
}

const upload = async (run: TargetRun, outgoing: Outgoing): Promise<void> => {
  run.step = 'upload'
  await checkpoint(run, { step: 'upload' })
  await callNetwork(run, outgoing, (publishing) => run.network.publisher.upload(publishing))
}

/** Asks once; a target that is not done is asked again later, by whichever process is free then. */
const isReady = async (run: TargetRun, outgoing: Outgoing): Promise<boolean> => {
  const { wait } = run.network.publisher
  if (!wait) return true
  const { row } = run.claim
  run.step = 'wait'
  const now = run.ctx.now()
  const since = row.step === 'wait' ? (row.waitingSince ?? now) : now
  if (row.step !== 'wait') await checkpoint(run, { step: 'wait', waiting_since: since, polls: 0 })
  const state = await callNetwork(run, outgoing, (publishing) => wait(publishing))
  if (state === 'ready') return true
  const limit = outgoing.media.some(({ kind }) => kind === 'video') ? VIDEO_WAIT_MS : IMAGE_WAIT_MS
  if (now.getTime() - since.getTime() >= limit) await settleFailed(run, PROCESSING_TIMEOUT)
  else await askAgain(run, POLL_MS[row.step === 'wait' ? row.polls : 0] ?? LAST_POLL_MS)
  return false
}

/** Nothing is posted yet, so a failure can be retried from the saved progress. */
const failBefore = async (run: TargetRun, error: unknown): Promise<void> => {
  if (run.signal.aborted || error instanceof ClaimLost) throw error
  const facts = factsOf(error)
  if (facts) return settleFailed(run, facts)
  if (error instanceof Fault) throw error
  run.ctx.log.error({ err: error, targetId: run.claim.id }, 'a social post cannot be sent')
  return settleFailed(run, INTERNAL)
}

/**
 * Stored first that the call is about to be made; then made, once; then its result is stored. A process that stood still
 * in between may be taken for dead, and its target be with another: it sends nothing any more.
 */
const commit = async (run: TargetRun, outgoing: Outgoing): Promise<void> => {
  let aboutAt: number | undefined
  let isSent = false
  const promptly =
    (http: NetworkHttp): NetworkHttp =>
    (request) => {
      if (!isSent && performance.now() - (aboutAt ?? 0) > COMMIT_WITHIN_MS) throw new ClaimLost()
      isSent = true
      return http(request)
    }
  let posted: Posted
  try {
    posted = await callNetwork(
      run,
      outgoing,
      async (publishing) => {
        run.step = 'committing'
        await checkpoint(run, { step: 'committing', waiting_since: null, polls: 0 })
        run.claim.row.polls = 0
        aboutAt = performance.now()
        isSent = false
        return run.network.publisher.commit(publishing)
      },
      promptly,
    )
  } catch (error) {
    if (aboutAt === undefined) return failBefore(run, error)
    // The next attempt finds out what became of it.
    if (run.signal.aborted || error instanceof ClaimLost) throw error
    if (!isDefiniteNo(error)) {
      run.ctx.log.warn({ err: error, targetId: run.claim.id }, 'a network did not say whether it took a post')
      return reconcile(run, outgoing)
    }
    return refuse(run, outgoing, error)
  }
  await confirm(run, outgoing, posted)
}

/** A definite no. One that calls it a duplicate after a try of unknown outcome says that it is live. */
const refuse = async (run: TargetRun, outgoing: Outgoing, error: unknown): Promise<void> => {
  const facts = factsOf(error) ?? INTERNAL
  if (facts.kind !== 'duplicate' || !run.claim.row.isUnsure) return settleFailed(run, facts)
  if (facts.existingId !== undefined) return confirm(run, outgoing, { remoteId: facts.existingId, url: null })
  const found = await lookFor(run, outgoing).catch(() => 'unknown' as const)
  return confirm(run, outgoing, typeof found === 'string' ? { remoteId: '', url: null } : found)
}

const lookFor = (run: TargetRun, outgoing: Outgoing): Promise<Posted | 'not-posted' | 'unknown'> =>
  callNetwork(run, outgoing, (publishing) => run.network.publisher.reconcile(publishing))

/** A process died at the one call that posts, or after it. */
const afterCommit = async (run: TargetRun): Promise<void> => {
  const { row } = run.claim
  let outgoing: Outgoing
  try {
    outgoing = await outgoingOf(run.ctx, run.network, { id: run.claim.id, ...row })
  } catch (error) {
    if (run.signal.aborted || factsOf(error) === null) throw error
    // The files were deleted meanwhile, but the request may have reached the network before.
    return row.step === 'confirm' && row.remoteId !== null
      ? settlePosted(run, { remoteId: row.remoteId, url: row.url }, [])
      : settleFailed(run, OUTCOME_UNKNOWN)
  }
  if (row.step === 'confirm' && row.remoteId !== null)
    return confirm(run, outgoing, { remoteId: row.remoteId, url: row.url })
  run.step = 'committing'
  return reconcile(run, outgoing)
}

/** Found: posted. Certainly not there: retried. Unknown: only a person sends it again. */
const reconcile = async (run: TargetRun, outgoing: Outgoing): Promise<void> => {
  if (!run.claim.row.isUnsure) {
    await checkpoint(run, { is_unsure: true })
    run.claim.row.isUnsure = true
  }
  const { attempts, accountId } = run.claim.row
  const [account] = await targetAccounts(run.ctx.db, [accountId])
  if (attempts > MAX_ATTEMPTS || !isConnected(account)) return settleFailed(run, OUTCOME_UNKNOWN)
  let found: Posted | 'not-posted' | 'unknown'
  try {
    found = await lookFor(run, outgoing)
  } catch (error) {
    if (run.signal.aborted || error instanceof ClaimLost || error instanceof Fault) throw error
    if (isPassing(error) && run.claim.row.polls + 1 < MAX_RECONCILES) return askAgain(run, RECONCILE_AGAIN_MS)
    run.ctx.log.warn({ err: error, targetId: run.claim.id }, 'a network does not say whether it took a post')
    return settleFailed(run, OUTCOME_UNKNOWN)
  }
  if (found === 'unknown') return settleFailed(run, OUTCOME_UNKNOWN)
  if (found === 'not-posted')
    return settleFailed(run, {
      kind: 'transient',
      code: 'NOT_POSTED',
      message: "The connection was lost, and the network didn't accept the post",
    })
  return confirm(run, outgoing, found)
}

const isPassing = (error: unknown): boolean =>
  error instanceof LineCut || (error instanceof NetworkFailure && error.facts.kind === 'transient')

/** The post is out, so a failure from here on is only a warning. */
const confirm = async (run: TargetRun, outgoing: Outgoing, posted: Posted): Promise<void> => {
  const call = run.network.publisher.confirm
  if (!call) return settlePosted(run, posted, [])
  run.step = 'confirm'
  const { row } = run.claim
  row.postedAt ??= run.ctx.now()
  await checkpoint(run, {
    step: 'confirm',
    remote_id: posted.remoteId,
    url: posted.url,
    posted_at: row.postedAt,
    polls: 0,
  })
  if (row.attempts > MAX_ATTEMPTS) return settlePosted(run, posted, [])
  try {
    const { url, warnings } = await callNetwork(run, outgoing, (publishing) => call(publishing, posted))
    await settlePosted(run, { remoteId: posted.remoteId, url: url ?? posted.url }, warnings)
  } catch (error) {
    if (run.signal.aborted || error instanceof ClaimLost || error instanceof Fault) throw error
    const text = factsOf(error)?.message ?? INTERNAL.message
    await settlePosted(run, posted, [`Posted, but a later step failed: ${text.slice(0, 500)}`])
  }
}
