import { connect } from '@stoa/cms-plugin/bridge'
import { type PlanSummary, stageLabels } from '../plan.ts'
import { attempt } from '../ui/context.ts'
import { find, h, messageOf } from '../ui/dom.ts'
import { dayText, stageTone, statusLabel, statusTone } from '../ui/words.ts'

const stoa = await connect()
const place = find('#entry-plans')

const line = ({ title, stage, status, dueOn }: PlanSummary): HTMLElement =>
  h(
    'li',
    {},
    h('strong', {}, title),
    h(
      'p',
      { class: 'plan-facts' },
      h('span', { class: 'badge', data: { tone: stageTone[stage] } }, stageLabels[stage]),
      status && h('span', { class: 'badge', data: { tone: statusTone(status) } }, statusLabel(status)),
      dueOn && h('span', { class: 'muted' }, `Due ${dayText(dueOn, stoa.context.locale)}`),
    ),
  )

const show = async (): Promise<void> => {
  const { entry } = stoa.context
  if (!entry?.id) {
    place.replaceChildren(h('p', { class: 'muted' }, 'Save the entry to plan posts about it'))
    return
  }
  const entryId = entry.id
  const { items } = await stoa.request<{ items: PlanSummary[] }>('GET', `/plans?${new URLSearchParams({ entryId })}`)
  const create = async () => {
    await stoa.request('POST', '/plans', { title: entry.title || 'Untitled', entryId, entryTitle: entry.title })
    await show()
  }
  place.replaceChildren(
    items.length === 0
      ? h('p', { class: 'muted' }, 'No plans for this entry')
      : h('ul', { class: 'plain' }, ...items.map(line)),
    h(
      'div',
      { class: 'row' },
      h('button', { type: 'button', on: { click: () => void attempt(stoa, create, 'Plan created') } }, 'New plan'),
      h(
        'button',
        {
          type: 'button',
          class: 'ghost',
          on: { click: () => void attempt(stoa, () => stoa.navigate({ screen: 'plans' })) },
        },
        'Open board',
      ),
    ),
  )
}

const showOrSay = (): Promise<void> =>
  show().catch((error: unknown) =>
    place.replaceChildren(h('p', { class: 'notice', data: { tone: 'failed' } }, messageOf(error))),
  )

let shownId = stoa.context.entry?.id
stoa.onContext(({ entry }) => {
  if (entry?.id === shownId) return
  shownId = entry?.id
  void showOrSay()
})
await showOrSay()
