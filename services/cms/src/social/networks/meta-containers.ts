import { NetworkFailure, warningOf } from './http/failure.ts'
import { LONG_TIMEOUT_MS } from './http/http.ts'
import { listOf, memberOf, numberOf, objectOf, requireText, textOf } from './http/read-reply.ts'
import { afterMs } from './http/retry-at.ts'
import { createGraph, type GraphRules, subcodeKind, subcodeOf } from './meta.ts'
import type { AccountReach, Outgoing, Posted, Publisher, Publishing, PublishMedia } from './network.ts'
import { findPosted, isSameText } from './posting/find-posted.ts'
import { addFirstComment, type CommentProgress } from './posting/first-comment.ts'

export type ContainerProgress = CommentProgress & {
  /** The containers of a carousel's items, in order. */
  children: string[] | null
  /** The container to publish. */
  container: string | null
  /** The network reports the container as published, although we got no response. */
  isPublished: boolean
  hasRetried: boolean
}
type Containers = Publishing<ContainerProgress>
type Form = Record<string, string | undefined>

/** How the two networks that publish containers differ. */
export type ContainerFacts = {
  rules: GraphRules
  /** Below an account: where containers are made and posts are listed, and where a container is published. */
  edge: 'media' | 'threads'
  publishEdge: 'media_publish' | 'threads_publish'
  /** How many posts a day an account may have, and how many it had. */
  limitEdge: 'content_publishing_limit' | 'threads_publishing_limit'
  /** Members of a container: its state, and why it failed. */
  stateMember: 'status_code' | 'status'
  reasonMember: 'status' | 'error_message'
  /** Member of a post, and of its container. */
  captionMember: 'caption' | 'text'
  /** What the post itself has beside its caption. */
  postForm(outgoing: Outgoing): Form
  /** A picture or video, alone or in a carousel. */
  mediumForm(medium: PublishMedia): Promise<Form>
  /** A post without pictures, where there is such a thing. */
  textForm?: Form
  comment(publishing: Containers, posted: Posted, text: string): Promise<unknown>
}

const NEWEST = 25
/** The window moves: a place is free when the oldest post of the day leaves it. */
const QUOTA_PAUSE_MS = 3_600_000
/** The container ended or is gone: the same content needs a new one. */
const REBUILD = new Set([2207008, 2207020])
/** "Server error": worth one more try only. */
const RETRY_ONCE = 2207001
const NO_CONTAINERS = { children: null, container: null } as const

/** Containers are built from addresses of pictures, processed by the network, and published by a last call. */
export const containerPublisher = (facts: ContainerFacts): Publisher<ContainerProgress> => {
  const { rules } = facts
  const { label } = rules
  const graph = createGraph(rules)
  const accountUrl = (reach: AccountReach, edge: string) =>
    `${reach.endpoints.apiBase}/${reach.account.remoteId}/${edge}`

  const create = async (publishing: Containers, form: Form): Promise<string> => {
    const answer = await graph(publishing, {
      url: accountUrl(publishing, facts.edge),
      body: { form },
      timeoutMs: LONG_TIMEOUT_MS,
    })
    return requireText(answer, 'id', label, 'transient')
  }

  const createPost = async (publishing: Containers, form: Form): Promise<string> => {
    const { outgoing } = publishing
    const caption = { [facts.captionMember]: outgoing.caption || undefined }
    const container = await create(publishing, { ...form, ...caption, ...facts.postForm(outgoing) })
    await publishing.save({ container })
    return container
  }

  const build = async (publishing: Containers): Promise<void> => {
    const { progress, outgoing } = publishing
    if (progress.container) return
    const [only, ...others] = outgoing.media
    if (others.length === 0) {
      await createPost(publishing, only ? await facts.mediumForm(only) : (facts.textForm ?? {}))
      return
    }
    const children = [...(progress.children ?? [])]
    for (const medium of outgoing.media.slice(children.length)) {
      children.push(await create(publishing, { is_carousel_item: 'true', ...(await facts.mediumForm(medium)) }))
      await publishing.save({ children: [...children] })
    }
  }

  /**
   * Files are not uploaded for a post that can't go out today. A network that doesn't report its quota rejects it
   * itself.
   */
  const refuseOverQuota = async (publishing: Containers): Promise<void> => {
    const { container, children } = publishing.progress
    if (container || children) return
    const answer = await graph(publishing, {
      url: accountUrl(publishing, facts.limitEdge),
      query: { fields: 'config,quota_usage' },
    }).catch((error: unknown) => {
      warningOf(error)
      return {}
    })
    const limit = listOf(objectOf(answer).data)[0]
    const used = numberOf(memberOf(limit, 'quota_usage'))
    const total = numberOf(memberOf(limit, 'config', 'quota_total'))
    if (used === null || total === null || used < total) return
    throw new NetworkFailure({
      kind: 'rate',
      code: 'QUOTA_REACHED',
      message: `${label} allows ${total} posts in 24 hours, and this account has had ${used}`,
      pauses: 'account',
      retryAt: afterMs(publishing.now(), QUOTA_PAUSE_MS),
    })
  }

  const stateOf = async (reach: AccountReach, container: string): Promise<{ state: string; reason: string | null }> => {
    const fields = [...new Set([facts.stateMember, facts.reasonMember])].join(',')
    const answer = await graph(reach, { url: `${reach.endpoints.apiBase}/${container}`, query: { fields } })
    return { state: textOf(answer[facts.stateMember]) ?? '', reason: textOf(answer[facts.reasonMember]) }
  }

  /** Asks about one container; what went wrong with it is thrown, after it is forgotten. */
  const ask = async (publishing: Containers, container: string): Promise<'ready' | 'processing' | 'expired'> => {
    const { state, reason } = await stateOf(publishing, container)
    if (state === 'PUBLISHED') await publishing.save({ isPublished: true })
    if (state === 'PUBLISHED' || state === 'FINISHED') return 'ready'
    if (state === 'EXPIRED' || state === 'ERROR') await publishing.save(NO_CONTAINERS)
    if (state === 'ERROR') throw processingFailure(rules, reason)
    return state === 'EXPIRED' ? 'expired' : 'processing'
  }

  const wait = async (publishing: Containers): Promise<'ready' | 'processing'> => {
    const { progress, outgoing } = publishing
    let { container } = progress
    if (!container) {
      const children = progress.children ?? []
      if (children.length < outgoing.media.length || outgoing.media.length < 2) return rebuild(publishing, children)
      for (const child of children) {
        const state = await ask(publishing, child)
        if (state === 'expired') return rebuild(publishing, [])
        if (state === 'processing') return 'processing'
      }
      container = await createPost(publishing, { media_type: 'CAROUSEL', children: children.join(',') })
    }
    const state = await ask(publishing, container)
    return state === 'expired' ? rebuild(publishing, []) : state
  }

  const rebuild = async (publishing: Containers, children: string[]): Promise<'processing'> => {
    await build({ ...publishing, progress: { ...publishing.progress, children, container: null } })
    return 'processing'
  }

  const findInNewest = async (publishing: Containers): Promise<Posted | 'not-posted' | 'unknown'> => {
    const fields = ['id', 'permalink', facts.captionMember, 'timestamp'].join(',')
    const answer = await graph(publishing, {
      url: accountUrl(publishing, facts.edge),
      query: { fields, limit: NEWEST },
    })
    const { since, caption } = publishing.outgoing
    const found = findPosted(answer.data, {
      since,
      timeMember: 'timestamp',
      pageSize: NEWEST,
      isSame: (post) => isSameText(post[facts.captionMember], caption),
    })
    if (typeof found === 'string') return found
    return { remoteId: requireText(found, 'id', label, 'unknown'), url: textOf(found.permalink) }
  }

  const reconcile = async (publishing: Containers): Promise<Posted | 'not-posted' | 'unknown'> => {
    const { container } = publishing.progress
    const state = container ? (await stateOf(publishing, container)).state : ''
    const found = await findInNewest(publishing)
    if (typeof found !== 'string' || !container || state === '') return found
    // The container knows it for sure, whatever the list shows.
    return state === 'PUBLISHED' ? { remoteId: container, url: null } : 'not-posted'
  }

  const commit = async (publishing: Containers): Promise<Posted> => {
    const { container, isPublished } = publishing.progress
    if (!container)
      throw new NetworkFailure({ kind: 'transient', code: 'NOT_PREPARED', message: `${label} lost the prepared post` })
    if (isPublished) {
      const found = await findInNewest(publishing)
      return typeof found === 'string' ? { remoteId: container, url: null } : found
    }
    const answer = await graph(publishing, {
      url: accountUrl(publishing, facts.publishEdge),
      body: { form: { creation_id: container } },
      timeoutMs: LONG_TIMEOUT_MS,
    })
    return { remoteId: requireText(answer, 'id', label, 'unknown'), url: null }
  }

  return {
    upload: (publishing) =>
      remembering(publishing, async () => {
        await refuseOverQuota(publishing)
        await build(publishing)
      }),
    wait: (publishing) => remembering(publishing, () => wait(publishing)),
    commit: (publishing) => remembering(publishing, () => commit(publishing)),
    reconcile,
    async confirm(publishing, posted) {
      const warnings: string[] = []
      let { url } = posted
      try {
        url ??= textOf((await graph(publishing, permalinkRequest(publishing, posted))).permalink)
      } catch (error) {
        warnings.push(`The post was published, but ${label} didn't return its link: ${warningOf(error)}`)
      }
      warnings.push(...(await addFirstComment(publishing, (text) => facts.comment(publishing, posted, text))))
      return { url, warnings }
    },
  }
}

const permalinkRequest = (reach: AccountReach, posted: Posted) => ({
  url: `${reach.endpoints.apiBase}/${posted.remoteId}`,
  query: { fields: 'permalink' },
})

/** Instagram says "Error: … error code 2207026", Threads a word such as FAILED_DOWNLOADING_VIDEO. */
const processingFailure = (rules: GraphRules, reason: string | null): NetworkFailure => {
  const subcode = Number(/\b2207\d{3}\b/.exec(reason ?? '')?.[0] ?? 0)
  return new NetworkFailure({
    kind: subcodeKind(rules, subcode),
    code: subcode ? `PROCESSING_FAILED/${subcode}` : 'PROCESSING_FAILED',
    message: reason ?? `${rules.label} couldn't process the media`,
  })
}

/** Keeps what a failure means for the next try: containers that are gone, and a retry that was used up. */
const remembering = async <T>(publishing: Containers, run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof NetworkFailure) || (error.facts.httpStatus ?? 0) >= 500) throw error
    const subcode = subcodeOf(error)
    if (subcode !== null && REBUILD.has(subcode)) await publishing.save(NO_CONTAINERS)
    if (subcode !== RETRY_ONCE) throw error
    if (publishing.progress.hasRetried) throw new NetworkFailure({ ...error.facts, kind: 'invalid' })
    await publishing.save({ hasRetried: true })
    throw error
  }
}
