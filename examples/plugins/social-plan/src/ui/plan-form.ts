import type { Bridge } from '@stoa/cms-plugin'
import { type PlanDetail, type PlanFile, stageLabels, stages } from '../plan.ts'
import { accountChoices, attempt, type PlanContext } from './context.ts'
import { checkboxes, field, h, select } from './dom.ts'
import { momentText, statusLabel, statusTone } from './words.ts'

export type PlanFormOptions = {
  stoa: Bridge
  context: PlanContext
  /** Null for a new one. */
  plan: PlanDetail | null
  /** Members that a new plan begins with. */
  start?: Partial<PlanDetail>
  /** Shows what was saved. */
  onSaved(plan: PlanDetail): void
  onClosed(): void
}

/** One plan: what people write, what core says about its post, and what the client said. */
export const planForm = (options: PlanFormOptions): HTMLElement => {
  const { plan, onClosed } = options
  const heading = h('h1', { tabIndex: -1 }, plan ? plan.title : 'New plan')
  return h(
    'div',
    { class: 'stack' },
    h('p', {}, h('button', { type: 'button', class: 'ghost', on: { click: onClosed } }, '← All plans')),
    heading,
    plan && postStatus(options, plan),
    form(options),
    plan && plan.comments.length > 0 && comments(options, plan),
  )
}

const form = ({ stoa, context, plan, start = {}, onSaved, onClosed }: PlanFormOptions): HTMLElement => {
  const from = { ...start, ...plan }
  const title = h('input', { value: from.title ?? '', required: true, maxLength: 200 })
  const client = select(
    context.clients.map(({ id, name }) => ({ value: id, label: name })),
    from.clientId ?? null,
    'No client',
  )
  const owner = select(
    context.people.map(({ id, name }) => ({ value: id, label: name })),
    plan ? plan.ownerId : stoa.context.person.id,
    'Nobody',
  )
  const stage = select(
    stages.map((value) => ({ value, label: stageLabels[value] })),
    from.stage ?? context.firstStage,
  )
  const dueOn = h('input', { type: 'date', value: from.dueOn ?? '' })
  const brief = h('textarea', { rows: 4, value: from.brief ?? '', maxLength: 10_000 })
  const caption = h('textarea', { rows: 6, value: from.caption ?? '', maxLength: 10_000 })
  const accounts = checkboxes('Accounts', accountChoices(context), from.accountIds ?? [])
  const files = fileList(stoa, from.files ?? [])
  const entry = entryChoice(stoa, from.entryId ? { id: from.entryId, title: from.entryTitle ?? '' } : null)
  // Accounts of the client are the likely ones.
  client.addEventListener('change', () => {
    if (accounts.values().length > 0) return
    const likely = context.clients.find(({ id }) => id === client.value)?.accountIds ?? []
    for (const box of accounts.element.querySelectorAll('input')) box.checked = likely.includes(box.value)
  })
  const read = () => ({
    title: title.value,
    clientId: client.value,
    ownerId: owner.value,
    stage: stage.value,
    dueOn: dueOn.value,
    brief: brief.value,
    caption: caption.value,
    accountIds: accounts.values(),
    mediaIds: files.ids(),
    ...entry.value(),
    ...(plan && { edition: plan.edition }),
  })
  const save = async (): Promise<PlanDetail> =>
    plan ? stoa.request('PUT', `/plans/${plan.id}`, read()) : stoa.request('POST', '/plans', read())
  const submit = (event: Event) => {
    event.preventDefault()
    let saved: PlanDetail | undefined
    void attempt(stoa, async () => (saved = await save()), plan ? 'Plan saved' : 'Plan created').then(
      () => saved && onSaved(saved),
    )
  }
  const remove = async () => {
    if (!plan) return
    const text = plan.publishPostId ? 'The post in Social stays.' : "This can't be undone."
    const sure = await stoa.confirm({ title: `Delete ${plan.title}?`, text, button: 'Delete plan', isDangerous: true })
    if (sure && (await attempt(stoa, () => stoa.request('DELETE', `/plans/${plan.id}`), 'Plan deleted'))) onClosed()
  }
  return h(
    'form',
    { class: 'stack', on: { submit } },
    field('Title', title),
    h(
      'div',
      { class: 'columns' },
      field('Client', client),
      field('Owner', owner, 'People appear here once they have opened the plan'),
    ),
    h(
      'div',
      { class: 'columns' },
      field('Stage', stage, 'The client sees plans in Review and Approved'),
      field('Due', dueOn),
    ),
    field('Brief', brief, 'For the team only'),
    field('Caption', caption, 'What is posted, and what the client approves'),
    files.element,
    accounts.element,
    entry.element,
    h(
      'div',
      { class: 'row' },
      h('button', { class: 'primary' }, plan ? 'Save changes' : 'Create plan'),
      plan && h('button', { type: 'button', class: 'danger', on: { click: () => void remove() } }, 'Delete plan'),
    ),
  )
}

const fileList = (stoa: Bridge, first: readonly PlanFile[]) => {
  let files = first.map(({ id, filename }) => ({ id, filename }))
  const list = h('ul', { class: 'plain' })
  const add = h('button', { type: 'button' }, 'Add file')
  const show = () =>
    list.replaceChildren(
      ...files.map(({ id, filename }) =>
        h(
          'li',
          { class: 'row' },
          h('span', {}, filename),
          h(
            'button',
            {
              type: 'button',
              class: 'ghost',
              aria: { label: `Remove ${filename}` },
              on: {
                click: () => {
                  files = files.filter((file) => file.id !== id)
                  show()
                  add.focus()
                },
              },
            },
            'Remove',
          ),
        ),
      ),
    )
  add.addEventListener('click', () => {
    void attempt(stoa, async () => {
      const picked = await stoa.pickMedia('any')
      if (!picked || files.some(({ id }) => id === picked.id)) return
      files = [...files, { id: picked.id, filename: picked.filename }]
      show()
    })
  })
  show()
  return {
    element: h('fieldset', {}, h('legend', {}, 'Pictures and videos'), list, add),
    ids: () => files.map(({ id }) => id),
  }
}

const entryChoice = (stoa: Bridge, first: { id: string; title: string } | null) => {
  let chosen = first
  const text = h('span', {})
  const clear = h('button', { type: 'button', class: 'ghost' }, 'Remove link')
  const pick = h('button', { type: 'button' }, 'Choose entry')
  const show = () => {
    text.textContent = chosen ? chosen.title || 'Untitled' : 'No entry'
    clear.hidden = chosen === null
  }
  clear.addEventListener('click', () => {
    chosen = null
    show()
    pick.focus()
  })
  pick.addEventListener('click', () => {
    void attempt(stoa, async () => {
      const picked = await stoa.pickEntry()
      if (picked) chosen = { id: picked.id, title: picked.title }
      show()
    })
  })
  show()
  const element = h('fieldset', {}, h('legend', {}, 'Linked entry'), h('div', { class: 'row' }, text, pick, clear))
  return { element, value: () => ({ entryId: chosen?.id ?? null, entryTitle: chosen?.title ?? null }) }
}

/** What core says, or the way to hand the plan over. */
const postStatus = ({ stoa, onSaved }: PlanFormOptions, plan: PlanDetail): HTMLElement => {
  const { locale } = stoa.context
  if (plan.publishPostId !== null && plan.mirror) return mirrorCard(stoa, plan, plan.mirror)
  const handOver = () => {
    let made: PlanDetail | undefined
    const action = async () => (made = await stoa.request<PlanDetail>('POST', `/plans/${plan.id}/hand-over`))
    void attempt(stoa, action, 'Handed over to Social').then(() => made && onSaved(made))
  }
  return h(
    'section',
    { class: 'card', aria: { label: 'Post' } },
    plan.lostPost &&
      h(
        'p',
        { class: 'notice', data: { tone: 'failed' } },
        `The post of this plan was deleted in Social (noticed ${momentText(plan.lostPost.at, locale)}).`,
      ),
    h(
      'p',
      {},
      'Hand over to create a post in Social with this caption, files and accounts. Scheduling and sending happen there. Save your changes first.',
    ),
    h(
      'button',
      { type: 'button', class: 'primary', on: { click: handOver } },
      plan.lostPost ? 'Hand over again' : 'Hand over',
    ),
  )
}

const mirrorCard = (stoa: Bridge, plan: PlanDetail, mirror: NonNullable<PlanDetail['mirror']>): HTMLElement => {
  const { locale } = stoa.context
  const open = () => void attempt(stoa, () => stoa.navigate({ social: plan.publishPostId ?? '' }))
  return h(
    'section',
    { class: 'card', aria: { label: 'Post' } },
    h(
      'p',
      { class: 'row' },
      h('span', { class: 'badge', data: { tone: statusTone(mirror.status) } }, statusLabel(mirror.status)),
      mirror.scheduledAt && h('span', {}, `for ${momentText(mirror.scheduledAt, locale)}`),
      h('button', { type: 'button', on: { click: open } }, 'Open in Social'),
    ),
    h(
      'ul',
      { class: 'plain' },
      ...mirror.targets.map(({ account, network, status, error, url }) =>
        h(
          'li',
          {},
          `${account} (${network}) `,
          h('span', { class: 'badge', data: { tone: statusTone(status) } }, statusLabel(status)),
          url && h('small', { class: 'muted' }, ` ${url}`),
          error && h('p', { class: 'notice', data: { tone: 'failed' } }, error),
        ),
      ),
    ),
    h(
      'small',
      { class: 'muted' },
      plan.isStale
        ? `Social couldn't be reached. Last known ${momentText(mirror.at, locale)}`
        : `As of ${momentText(mirror.at, locale)}`,
    ),
  )
}

const comments = ({ stoa }: PlanFormOptions, plan: PlanDetail): HTMLElement =>
  h(
    'section',
    { aria: { label: 'Client feedback' } },
    h('h2', {}, 'Client feedback'),
    h(
      'ul',
      { class: 'plain' },
      ...plan.comments.map(({ from, at, text, isApproval }) =>
        h(
          'li',
          {},
          h('strong', {}, `${from} ${isApproval ? 'approved' : 'requested changes'}`),
          h('small', { class: 'muted' }, ` ${momentText(at, stoa.context.locale)}`),
          text && h('p', { class: 'text' }, text),
        ),
      ),
    ),
  )
