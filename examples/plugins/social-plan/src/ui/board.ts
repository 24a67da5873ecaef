import { type PlanSummary, type Stage, stageBeside, stageLabels, stages } from '../plan.ts'
import type { PlanContext } from './context.ts'
import { h } from './dom.ts'
import { dayText, stageTone, statusLabel, statusTone } from './words.ts'

export type BoardActions = {
  open(id: string): void
  move(plan: PlanSummary, to: Stage): void
}

export type Shown = { plans: readonly PlanSummary[]; context: PlanContext; locale: string }

export const badges = (plan: PlanSummary, { context, locale }: Shown): HTMLElement => {
  const client = context.clients.find(({ id }) => id === plan.clientId)
  const owner = context.people.find(({ id }) => id === plan.ownerId)
  return h(
    'p',
    { class: 'plan-facts' },
    client && h('span', { class: 'badge client', data: { colour: client.colour } }, client.name),
    plan.dueOn && h('span', { class: 'muted' }, `Due ${dayText(plan.dueOn, locale)}`),
    owner && h('span', { class: 'muted' }, owner.name),
    plan.status && h('span', { class: 'badge', data: { tone: statusTone(plan.status) } }, statusLabel(plan.status)),
    plan.errors > 0 &&
      h('span', { class: 'badge', data: { tone: 'failed' } }, plan.errors === 1 ? '1 error' : `${plan.errors} errors`),
  )
}

/** One column for each stage. Plans are dragged, moved with buttons, or with Alt and an arrow key. */
export const board = (shown: Shown, actions: BoardActions): HTMLElement =>
  h('div', { class: 'board' }, ...stages.map((stage) => column(stage, shown, actions)))

const column = (stage: Stage, shown: Shown, actions: BoardActions): HTMLElement => {
  const own = shown.plans.filter((plan) => plan.stage === stage)
  const element = h(
    'section',
    { class: 'stage', aria: { labelledby: `stage-${stage}` } },
    h('h2', { id: `stage-${stage}` }, stageLabels[stage], ' ', h('span', { class: 'muted' }, String(own.length))),
    h('ol', {}, ...own.map((plan) => card(plan, shown, actions))),
    own.length === 0 && h('p', { class: 'muted' }, 'No plans'),
  )
  const accepts = (event: DragEvent) => event.dataTransfer?.types.includes('text/plan') ?? false
  element.addEventListener('dragover', (event) => {
    if (!accepts(event)) return
    event.preventDefault()
    element.classList.add('is-target')
  })
  element.addEventListener('dragleave', (event) => {
    if (!element.contains(event.relatedTarget as Node | null)) element.classList.remove('is-target')
  })
  element.addEventListener('drop', (event) => {
    event.preventDefault()
    element.classList.remove('is-target')
    const id = event.dataTransfer?.getData('text/plan')
    const plan = shown.plans.find((one) => one.id === id)
    if (plan && plan.stage !== stage) actions.move(plan, stage)
  })
  return element
}

const card = (plan: PlanSummary, shown: Shown, actions: BoardActions): HTMLElement => {
  const moveButton = (steps: 1 | -1) => {
    const to = stageBeside(plan.stage, steps)
    return h(
      'button',
      {
        type: 'button',
        class: 'ghost',
        disabled: to === null,
        aria: { label: to ? `Move ${plan.title} to ${stageLabels[to]}` : 'No further stage' },
        on: { click: () => to && actions.move(plan, to) },
      },
      steps === 1 ? '→' : '←',
    )
  }
  const open = h(
    'button',
    {
      type: 'button',
      class: 'link',
      data: { plan: plan.id },
      aria: { keyshortcuts: 'Alt+ArrowLeft Alt+ArrowRight' },
      on: { click: () => actions.open(plan.id) },
    },
    plan.title,
  )
  return h(
    'li',
    {
      class: 'card plan',
      draggable: true,
      on: {
        dragstart: (event) => event.dataTransfer?.setData('text/plan', plan.id),
        keydown: (event) => {
          if (!event.altKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
          event.preventDefault()
          const to = stageBeside(plan.stage, event.key === 'ArrowRight' ? 1 : -1)
          if (to) actions.move(plan, to)
        },
      },
    },
    open,
    badges(plan, shown),
    h('div', { class: 'plan-moves' }, moveButton(-1), moveButton(1)),
  )
}

export const planTable = (shown: Shown, actions: BoardActions): HTMLElement => {
  const { context, locale } = shown
  const row = (plan: PlanSummary) =>
    h(
      'tr',
      {},
      h(
        'td',
        {},
        h(
          'button',
          { type: 'button', class: 'link', data: { plan: plan.id }, on: { click: () => actions.open(plan.id) } },
          plan.title,
        ),
      ),
      h('td', {}, h('span', { class: 'badge', data: { tone: stageTone[plan.stage] } }, stageLabels[plan.stage])),
      h('td', {}, context.clients.find(({ id }) => id === plan.clientId)?.name ?? ''),
      h('td', {}, plan.dueOn ? dayText(plan.dueOn, locale) : ''),
      h('td', {}, context.people.find(({ id }) => id === plan.ownerId)?.name ?? ''),
      h(
        'td',
        {},
        plan.status && h('span', { class: 'badge', data: { tone: statusTone(plan.status) } }, statusLabel(plan.status)),
      ),
    )
  const heads = ['Title', 'Stage', 'Client', 'Due', 'Owner', 'Post']
  return h(
    'div',
    { class: 'scroll' },
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, ...shown.plans.map(row)),
    ),
  )
}
