import { type FakeCall, type FakeReply, type FakeRoute, formOf, type LivePost } from './fake-network.ts'
import { graphError } from './meta.ts'

export type Container = {
  id: string
  form: Record<string, string>
  isChild: boolean
  state: 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'
  reason: string | null
  /** How many more questions are answered with IN_PROGRESS. */
  questions: number
}

/** The outcome for the next containers; a test changes it. */
export type Processing = { questions: number; failure: string | null; isExpired: boolean }

export type ContainerFake = {
  routes: FakeRoute[]
  posts: LivePost[]
  comments: { post: string; text: string }[]
}

export type ContainerRules = {
  version: string
  account: string
  edge: 'media' | 'threads'
  publishEdge: 'media_publish' | 'threads_publish'
  stateMember: 'status_code' | 'status'
  reasonMember: 'status' | 'error_message'
  captionMember: 'caption' | 'text'
  processing: Processing
  quota: { used: number; total: number }
  permalink(id: string): string
  authorize(call: FakeCall): void
  /** Refuses what the network refuses; reads the addresses in the form. */
  check(form: Record<string, string>, isChild: boolean): Promise<void>
  carouselMax: number
  now(): number
}

/** Containers and posts of Instagram or Threads. */
export const createContainers = (rules: ContainerRules): ContainerFake => {
  const containers = new Map<string, Container>()
  const posts: (LivePost & { at: number })[] = []
  const comments: ContainerFake['comments'] = []
  let last = 17_900_000_000_000
  const nextId = () => String(++last)

  const ownAccount = (call: FakeCall): void => {
    rules.authorize(call)
    if (call.params.account !== rules.account)
      throw graphError({
        message: `Object with ID '${call.params.account}' does not exist`,
        code: 100,
        error_subcode: 33,
      })
  }

  const checkCarousel = (form: Record<string, string>): void => {
    const children = (form.children ?? '').split(',')
    if (children.length < 2 || children.length > rules.carouselMax)
      throw graphError({ message: 'Invalid number of carousel items', code: 36000, error_subcode: 2207028 })
    for (const id of children) {
      const child = containers.get(id)
      if (!child?.isChild) throw graphError({ message: `${id} is no carousel item`, code: 100 })
      if (child.questions > 0 || child.state !== 'FINISHED')
        throw graphError({ message: `${id} is not ready`, code: 9007, error_subcode: 2207027 })
    }
    if (form.image_url || form.video_url || form.alt_text)
      throw graphError({ message: 'A carousel has its media in its items', code: 100 })
  }

  const create = async (call: FakeCall): Promise<FakeReply> => {
    ownAccount(call)
    const form = Object.fromEntries(formOf(call))
    const isChild = form.is_carousel_item === 'true'
    if (isChild && form[rules.captionMember]) throw graphError({ message: 'Carousel items have no caption', code: 100 })
    if (form.media_type === 'CAROUSEL') checkCarousel(form)
    else await rules.check(form, isChild)
    const { questions, failure, isExpired } = rules.processing
    rules.processing.isExpired = false
    const state = isExpired ? 'EXPIRED' : failure === null ? 'FINISHED' : 'ERROR'
    const container: Container = { id: nextId(), form, isChild, state, reason: failure, questions }
    containers.set(container.id, container)
    return { body: { id: container.id } }
  }

  const ask = (call: FakeCall): FakeReply => {
    rules.authorize(call)
    const id = call.params.id ?? ''
    const post = posts.find((known) => known.id === id)
    if (post) return { body: { id, permalink: rules.permalink(id) } }
    const container = containers.get(id)
    if (!container) throw graphError({ message: `Object with ID '${id}' does not exist`, code: 100, error_subcode: 33 })
    container.questions -= 1
    const state = container.questions >= 0 ? 'IN_PROGRESS' : container.state
    const reason = state === 'ERROR' ? container.reason : rules.reasonMember === 'status' ? state : undefined
    return { body: { id, [rules.reasonMember]: reason, [rules.stateMember]: state } }
  }

  const publish = (call: FakeCall): FakeReply => {
    ownAccount(call)
    const container = containers.get(formOf(call).get('creation_id') ?? '')
    if (!container || container.isChild)
      throw graphError({ message: 'The media could not be found', code: 24, error_subcode: 2207008 })
    if (container.state === 'PUBLISHED')
      throw graphError({ message: 'The media was already published', code: 9007, error_subcode: 2207006 })
    if (container.questions > 0 || container.state !== 'FINISHED')
      throw graphError({ message: 'Media is not ready', code: 9007, error_subcode: 2207027 })
    const isReply = container.form.reply_to_id !== undefined
    if (!isReply && rules.quota.used >= rules.quota.total)
      throw graphError({ message: 'The daily limit of posts is reached', code: 9, error_subcode: 2207042 }, 403)
    rules.quota.used += isReply ? 0 : 1
    container.state = 'PUBLISHED'
    const { form } = container
    const children = form.children?.split(',') ?? [container.id]
    const shown = children.map((id) => containers.get(id)?.form ?? {})
    const id = nextId()
    const text = form[rules.captionMember] ?? ''
    if (form.reply_to_id) {
      comments.push({ post: form.reply_to_id, text })
      return { body: { id } }
    }
    posts.unshift({
      id,
      account: rules.account,
      text,
      media: shown.flatMap((item) => item.image_url ?? item.video_url ?? []),
      alts: shown.map((item) => item.alt_text ?? ''),
      form,
      at: rules.now(),
    })
    return { body: { id } }
  }

  const list = (call: FakeCall): FakeReply => {
    ownAccount(call)
    const data = posts.slice(0, Number(call.query.get('limit') ?? 25)).map((post) => ({
      id: post.id,
      permalink: rules.permalink(post.id),
      [rules.captionMember]: post.text || undefined,
      timestamp: new Date(post.at).toISOString().replace(/\.\d{3}Z$/, '+0000'),
    }))
    return { body: { data } }
  }

  const below = `/${rules.version}/:account`
  const isReply = (call: FakeCall) => call.body.toString().includes('reply_to_id=')
  return {
    posts,
    comments,
    routes: [
      {
        call: (call) => (isReply(call) ? 'comment' : 'container'),
        method: 'POST',
        path: `${below}/${rules.edge}`,
        answer: create,
      },
      { call: 'commit', method: 'POST', path: `${below}/${rules.publishEdge}`, answer: publish },
      { call: 'list', method: 'GET', path: `${below}/${rules.edge}`, answer: list },
      { call: 'status', method: 'GET', path: `/${rules.version}/:id`, answer: ask },
    ],
  }
}
