import type { Actor, Events, RouteHandler, RouteRequest, Routes } from '@stoa/cms-plugin'
import { crypto, log, media, Problem, settings, social } from 'stoa'
import { answerPlan, createLink, readApproval, revokeLink } from './approval.ts'
import { newClient, readClient, shownClient } from './client.ts'
import { change, clients, listAll, people, plans } from './documents.ts'
import { handOver, refresh } from './hand-over.ts'
import { detailOf, isStage, newPlan, type PlanFile, type PlanText, readPlan, type Stage, summaryOf } from './plan.ts'
import { bodyOf, InputError, readerOf } from './read-body.ts'

const MAX_CLIENTS = 500
const MAX_PEOPLE = 500
const PAGE = 100

/** Invalid bodies are answered in the same format as by the CMS. */
const checked =
  (handler: RouteHandler): RouteHandler =>
  async (request) => {
    try {
      return await handler(request)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      throw new Problem(400, error.message, { fields: [{ key: error.key, message: error.message }] })
    }
  }

const idOf = ({ params: { id = '' } }: RouteRequest): string => {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) throw new Problem(404, 'There is no such plan or client')
  return id
}

/** People are known once they have opened the plan: then plans can be theirs. */
const meet = async (actor: Actor | null): Promise<void> => {
  if (!actor) return
  const known = await people.get(actor.id)
  if (known?.value.name !== actor.name) await people.put(actor.id, { name: actor.name })
}

/** Where a new plan starts, as the settings say. */
const readFirstStage = async (): Promise<Stage> => {
  const { defaultStage } = await settings.own()
  return isStage(defaultStage) ? defaultStage : 'idea'
}

const context: RouteHandler = async ({ actor }) => {
  await meet(actor)
  const [clientList, peopleList, networks, firstStage] = await Promise.all([
    listAll(clients, { sort: 'name' }, MAX_CLIENTS),
    listAll(people, { sort: 'name' }, MAX_PEOPLE),
    social.accounts(),
    readFirstStage(),
  ])
  return {
    firstStage,
    clients: clientList.map(({ id, value }) => shownClient(id, value)),
    people: peopleList.map(({ id, value: { name } }) => ({ id, name })),
    accounts: networks.items.flatMap(({ network, label, accounts }) =>
      accounts.map(({ id, name, status }) => ({ id, name, network, label, isReady: status === 'active' })),
    ),
  }
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== ''

const listPlans: RouteHandler = async ({ query: { clientId, ownerId, entryId, cursor } }) => {
  const where = Object.fromEntries(
    Object.entries({ clientId, ownerId, entryId }).filter((pair): pair is [string, string] => isFilled(pair[1])),
  )
  const page = await plans.list({ where, sort: 'dueOn', limit: PAGE, cursor: isFilled(cursor) ? cursor : null })
  return { items: page.items.map(({ id, value }) => summaryOf(id, value)), cursor: page.cursor }
}

const createPlan: RouteHandler = async ({ body, actor }) => {
  const text: PlanText = {
    title: '',
    clientId: null,
    brief: '',
    dueOn: null,
    stage: await readFirstStage(),
    ownerId: actor?.id ?? null,
    caption: '',
    mediaIds: [],
    accountIds: [],
    entryId: null,
    entryTitle: null,
    ...readPlan(readerOf(body)),
  }
  if (text.title === '') throw new InputError('title', 'Enter a title')
  const id = await crypto.randomToken(16)
  const plan = { ...newPlan(text), files: await filesOf(text.mediaIds, []) }
  await plans.put(id, plan, { ifVersion: 0 })
  return detailOf(id, plan)
}

/** Names of the files, for those who cannot look into the library. */
const filesOf = async (ids: readonly string[], known: readonly PlanFile[]): Promise<PlanFile[]> => {
  const files = ids.map(async (id) => {
    const kept = known.find((file) => file.id === id)
    if (kept) return kept
    const { filename, alt, url } = await media.get(id)
    return { id, filename, alt, url }
  })
  return Promise.all(files)
}

const getPlan: RouteHandler = async (request) => {
  const id = idOf(request)
  try {
    return detailOf(id, await refresh(id))
  } catch (error) {
    if (error instanceof Problem) throw error
    log.warn('The post could not be read', error)
    const found = await plans.get(id)
    if (!found) throw new Problem(404, 'There is no such plan')
    return detailOf(id, found.value, true)
  }
}

const updatePlan: RouteHandler = async (request) => {
  const id = idOf(request)
  const changes = readPlan(readerOf(request.body))
  const { edition } = bodyOf(request.body)
  const before = await plans.get(id)
  const files = changes.mediaIds && (await filesOf(changes.mediaIds, before?.value.files ?? []))
  const { value } = await change(plans, id, (plan) => {
    if (edition !== undefined && edition !== plan.edition)
      throw new Problem(409, 'Someone else changed this plan. Open it again to see the changes')
    return { ...plan, ...changes, ...(files && { files }), edition: plan.edition + 1 }
  })
  return detailOf(id, value)
}

const deletePlan: RouteHandler = async (request) => {
  const id = idOf(request)
  const found = await plans.get(id)
  if (!found) return
  if (found.value.claim !== null) throw new Problem(409, 'This plan is being handed over. Try again in a minute')
  await plans.delete(id, { ifVersion: found.version })
}

const deleteClient: RouteHandler = async (request) => {
  const id = idOf(request)
  const { items } = await plans.list({ where: { clientId: id }, limit: 1 })
  if (items.length > 0)
    throw new Problem(409, 'This client still has plans: delete them or assign them to another client')
  await clients.delete(id)
}

const createClient: RouteHandler = async ({ body }) => {
  const client = newClient(readClient(readerOf(body)))
  if (client.name === '') throw new InputError('name', 'Enter a name')
  const id = await crypto.randomToken(16)
  await clients.put(id, client, { ifVersion: 0 })
  return shownClient(id, client)
}

const updateClient: RouteHandler = async (request) => {
  const changes = readClient(readerOf(request.body))
  const { id, value } = await change(clients, idOf(request), (client) => ({ ...client, ...changes }))
  return shownClient(id, value)
}

export const routes: Routes = {
  'GET /context': context,
  'GET /plans': listPlans,
  'POST /plans': checked(createPlan),
  'GET /plans/:id': getPlan,
  'PUT /plans/:id': checked(updatePlan),
  'DELETE /plans/:id': deletePlan,
  'POST /plans/:id/hand-over': async (request) => {
    const { id, value } = await handOver(idOf(request))
    return detailOf(id, value)
  },
  'POST /clients': checked(createClient),
  'PUT /clients/:id': checked(updateClient),
  'DELETE /clients/:id': deleteClient,
  'POST /clients/:id/link': (request) => createLink(idOf(request)),
  'DELETE /clients/:id/link': (request) => revokeLink(idOf(request)),
  'POST /approval': checked(({ body }) => readApproval(body)),
  'POST /approval/answers': checked(({ body }) => answerPlan(body)),
}

export const events: Events = {
  'social.updated': async ({ id: postId }) => {
    const { items } = await plans.list({ where: { publishPostId: postId }, limit: 100 })
    for (const { id } of items) {
      const plan = await refresh(id)
      if (plan.lostPost) log.info(`The post of the plan "${plan.title}" was deleted`)
    }
  },
}
