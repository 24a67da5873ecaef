import type { StoredDocument } from '@stoa/cms-plugin'
import { clock, crypto, Problem } from 'stoa'
import type { Client } from './client.ts'
import { change, clients, listAll, plans } from './documents.ts'
import { type Comment, MAX_COMMENTS, type Plan } from './plan.ts'
import { bodyOf, readerOf } from './read-body.ts'

const TOKEN_BYTES = 32
const MAX_SHOWN = 100
const MAX_COMMENT = 2_000

/** Gives the client a link and ends the one before. The token is in this answer and nowhere else. */
export const createLink = async (id: string): Promise<{ token: string }> => {
  const token = await crypto.randomToken(TOKEN_BYTES)
  const linkHash = await crypto.sha256(token)
  await change(clients, id, (client) => ({ ...client, linkHash, linkAt: clock.now().toISOString() }))
  return { token }
}

export const revokeLink = async (id: string): Promise<void> => {
  await change(clients, id, (client) => ({ ...client, linkHash: null, linkAt: null }))
}

/** The client whose link it is. One answer for every other text: nobody learns which were links once. */
const clientOf = async (token: unknown): Promise<StoredDocument<Client>> => {
  const gone = () => new Problem(404, 'This link is no longer valid. Ask for a new one')
  if (typeof token !== 'string' || !/^[A-Za-z0-9_-]{43}$/.test(token)) throw gone()
  const { items } = await clients.list({ where: { linkHash: await crypto.sha256(token) }, limit: 1 })
  const [client] = items
  if (!client) throw gone()
  return client
}

/** The parts of a plan that the client sees and approves; brief, team and other people's data must not be in it. */
export type ShownPlan = Pick<Plan, 'title' | 'dueOn' | 'caption' | 'edition'> & {
  id: string
  isApproved: boolean
  files: { filename: string; alt: string; url: string }[]
  comments: Comment[]
}

const shown = (id: string, { title, dueOn, caption, edition, stage, files, comments }: Plan): ShownPlan => ({
  id,
  title,
  dueOn,
  caption,
  edition,
  isApproved: stage === 'approved',
  files: files.map(({ filename, alt, url }) => ({ filename, alt, url })),
  comments,
})

const forClient = (plan: Plan, clientId: string): boolean =>
  plan.clientId === clientId && (plan.stage === 'review' || plan.stage === 'approved')

export const readApproval = async (body: unknown): Promise<{ client: string; plans: ShownPlan[] }> => {
  const client = await clientOf(bodyOf(body).token)
  const where = { clientId: client.id, stage: ['review', 'approved'] }
  const found = await listAll(plans, { where, sort: 'dueOn' }, MAX_SHOWN)
  return { client: client.value.name, plans: found.map(({ id, value }) => shown(id, value)) }
}

const answers = ['approve', 'change'] as const

/** Approves what the client saw, or sends it back with a comment. */
export const answerPlan = async (body: unknown): Promise<ShownPlan> => {
  const { token, edition } = bodyOf(body)
  const client = await clientOf(token)
  const read = readerOf(body)
  const { planId } = read.id('planId')
  const { answer } = read.choice('answer', answers)
  const { comment = '' } = read.text('comment', { max: MAX_COMMENT })
  if (!planId || !answer) throw new Problem(400, 'Choose a plan and an answer')
  if (answer === 'change' && comment === '') throw new Problem(400, 'Describe what should change')
  const missing = () => new Problem(404, 'This plan is no longer waiting for you')
  if (!(await plans.get(planId))) throw missing()
  const { value } = await change(plans, planId, (plan) => {
    if (!forClient(plan, client.id)) throw missing()
    if (plan.stage === 'approved') throw new Problem(409, 'This plan is already approved')
    if (plan.edition !== edition) throw new Problem(409, 'This plan has changed since you opened it. Reload the page')
    return answered(plan, {
      at: clock.now().toISOString(),
      from: client.value.name,
      text: comment,
      isApproval: answer === 'approve',
    })
  })
  return shown(planId, value)
}

const answered = (plan: Plan, comment: Comment): Plan => ({
  ...plan,
  stage: comment.isApproval ? 'approved' : 'writing',
  edition: plan.edition + 1,
  comments: [...plan.comments, comment].slice(-MAX_COMMENTS),
})
