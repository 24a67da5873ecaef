import { connect } from '@stoa/cms-plugin/bridge'
import { type PlanDetail, type PlanSummary, type Stage, stageLabels } from '../plan.ts'
import { type BoardActions, board, planTable, type Shown } from '../ui/board.ts'
import { attempt, loadContext, type PlanContext } from '../ui/context.ts'
import { announce, field, find, h, messageOf, select } from '../ui/dom.ts'
import { planForm } from '../ui/plan-form.ts'

const stoa = await connect()
const place = find('#plans')
/** More than anybody looks at on a board; narrower filters show the rest. */
const MAX_SHOWN = 500

let context: PlanContext
let plans: PlanSummary[] = []
let isComplete = true
let view: 'board' | 'list' = 'board'
const filter = { clientId: '', ownerId: '' }

const load = async (): Promise<void> => {
  plans = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ ...filter, ...(cursor && { cursor }) })
    const page: { items: PlanSummary[]; cursor: string | null } = await stoa.request('GET', `/plans?${query}`)
    plans.push(...page.items)
    cursor = page.cursor
  } while (cursor !== null && plans.length < MAX_SHOWN)
  isComplete = cursor === null
}

const actions: BoardActions = {
  open: (id) => void showPlan(id),
  move: (plan, to) => void move(plan, to),
}

/** Shown at once and put back when it is refused: the focus stays on the plan. */
const move = async (plan: PlanSummary, to: Stage): Promise<void> => {
  const from = plan.stage
  const set = (stage: Stage) => {
    plans = plans.map((one) => (one.id === plan.id ? { ...one, stage } : one))
    showAll()
    place.querySelector<HTMLElement>(`[data-plan="${plan.id}"]`)?.focus()
  }
  set(to)
  if (await attempt(stoa, () => stoa.request('PUT', `/plans/${plan.id}`, { stage: to })))
    announce(`${plan.title} moved to ${stageLabels[to]}`)
  else set(from)
}

const showAll = (): void => {
  const shown: Shown = { plans, context, locale: stoa.context.locale }
  place.replaceChildren(
    toolbar(),
    plans.length === 0
      ? h(
          'p',
          { class: 'empty' },
          'Plans are posts in the making, from the idea to the client’s approval. Create the first one.',
        )
      : view === 'board'
        ? board(shown, actions)
        : planTable(shown, actions),
    ...(isComplete
      ? []
      : [
          h(
            'p',
            { class: 'muted' },
            `The first ${plans.length} plans are shown. Choose a client or owner to see others.`,
          ),
        ]),
  )
}

const toolbar = (): HTMLElement => {
  const client = select(
    context.clients.map(({ id, name }) => ({ value: id, label: name })),
    filter.clientId,
    'All clients',
  )
  const owner = select(
    context.people.map(({ id, name }) => ({ value: id, label: name })),
    filter.ownerId,
    'All owners',
  )
  const narrow = (key: keyof typeof filter, control: HTMLSelectElement) =>
    control.addEventListener('change', () => {
      filter[key] = control.value
      void attempt(stoa, load).then(() => {
        showAll()
        announce(plans.length === 1 ? '1 plan' : `${plans.length} plans`)
      })
    })
  narrow('clientId', client)
  narrow('ownerId', owner)
  const viewButton = (name: typeof view, label: string) =>
    h(
      'button',
      {
        type: 'button',
        aria: { pressed: String(view === name) },
        on: {
          click: () => {
            view = name
            showAll()
            place.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
          },
        },
      },
      label,
    )
  return h(
    'header',
    { class: 'stack' },
    h(
      'div',
      { class: 'row spread' },
      h('h1', {}, 'Social plan'),
      h(
        'div',
        { class: 'row' },
        h(
          'button',
          { type: 'button', on: { click: () => void attempt(stoa, () => stoa.navigate({ screen: 'clients' })) } },
          'Clients',
        ),
        h('button', { type: 'button', class: 'primary', on: { click: () => showForm(null) } }, 'New plan'),
      ),
    ),
    h(
      'div',
      { class: 'row filters' },
      field('Client', client),
      field('Owner', owner),
      h(
        'div',
        { class: 'row', aria: { role: 'group', label: 'View' } },
        viewButton('board', 'Board'),
        viewButton('list', 'List'),
      ),
    ),
  )
}

const showPlan = async (id: string): Promise<void> => {
  await attempt(stoa, async () => showForm(await stoa.request<PlanDetail>('GET', `/plans/${id}`)))
}

const showForm = (plan: PlanDetail | null): void => {
  place.replaceChildren(
    planForm({
      stoa,
      context,
      plan,
      start: { clientId: filter.clientId || null },
      onSaved: (saved) => showForm(saved),
      onClosed: () => void backToAll(plan?.id),
    }),
  )
  place.querySelector<HTMLElement>('h1')?.focus()
}

const backToAll = async (id: string | undefined): Promise<void> => {
  await attempt(stoa, load)
  showAll()
  place.querySelector<HTMLElement>(id ? `[data-plan="${id}"]` : 'button.primary')?.focus()
}

try {
  ;[context] = await Promise.all([loadContext(stoa), load()])
  showAll()
} catch (error) {
  place.replaceChildren(
    h('p', { class: 'notice', data: { tone: 'failed' }, aria: { role: 'alert' } }, messageOf(error)),
  )
}
