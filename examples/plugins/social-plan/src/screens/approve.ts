import type { ShownPlan } from '../approval.ts'
import { announce, field, find, h, messageOf } from '../ui/dom.ts'
import { dayText, momentText } from '../ui/words.ts'

const place = find('#approval')
const token = window.location.hash.slice(1)
const locale = navigator.language

/** Calls a public route of the plugin. */
const post = async <T>(path: string, body: object): Promise<T> => {
  const response = await fetch(new URL(`../${path}`, window.location.href), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, ...body }),
    credentials: 'omit',
  })
  if (response.status === 429) throw new Error('Too many requests. Wait a minute and try again')
  const answer = await response.json().catch(() => null)
  if (!response.ok) throw new Error(answer?.error ?? 'The service had an unexpected error. Try again later')
  return answer
}

const planCard = (plan: ShownPlan): HTMLElement => {
  const card = h(
    'article',
    { class: 'card stack' },
    h('h2', { tabIndex: -1 }, plan.title),
    plan.dueOn && h('p', { class: 'muted' }, `Planned for ${dayText(plan.dueOn, locale)}`),
    h('p', { class: 'text' }, plan.caption || 'There is no text yet.'),
    plan.files.length > 0 &&
      h(
        'ul',
        {},
        ...plan.files.map(({ filename, alt, url }) => h('li', {}, h('a', { href: url }, filename), alt && `: ${alt}`)),
      ),
    plan.comments.length > 0 &&
      h(
        'ul',
        { class: 'plain' },
        ...plan.comments.map(({ at, text, isApproval }) =>
          h(
            'li',
            { class: 'muted' },
            `${momentText(at, locale)}: ${isApproval ? 'approved' : 'changes requested'}${text && `. ${text}`}`,
          ),
        ),
      ),
  )
  card.append(
    plan.isApproved
      ? h('p', {}, h('span', { class: 'badge', data: { tone: 'live' } }, 'Approved'))
      : answerForm(plan, card),
  )
  return card
}

const answerForm = (plan: ShownPlan, card: HTMLElement): HTMLElement => {
  const comment = h('textarea', { rows: 3, maxLength: 2000 })
  const problem = h('p', { class: 'notice', data: { tone: 'failed' }, hidden: true, aria: { role: 'alert' } })
  const approve = h('button', { type: 'button', class: 'primary' }, 'Approve')
  const change = h('button', { type: 'button' }, 'Request changes')
  const buttons = [approve, change]
  const answer = async (kind: 'approve' | 'change'): Promise<void> => {
    problem.hidden = true
    for (const button of buttons) button.disabled = true
    try {
      if (kind === 'change' && comment.value.trim() === '') throw new Error('Describe what should change')
      const body = { planId: plan.id, edition: plan.edition, answer: kind, comment: comment.value }
      const next = await post<ShownPlan>('approval/answers', body)
      const done = kind === 'approve' ? 'Approved' : 'Thank you. The team will change it'
      announce(done)
      const replacement = next.isApproved
        ? planCard(next)
        : h('article', { class: 'card' }, h('h2', { tabIndex: -1 }, plan.title), h('p', {}, done))
      card.replaceWith(replacement)
      replacement.querySelector<HTMLElement>('h2')?.focus()
    } catch (error) {
      problem.textContent = messageOf(error)
      problem.hidden = false
      for (const button of buttons) button.disabled = false
    }
  }
  approve.addEventListener('click', () => void answer('approve'))
  change.addEventListener('click', () => void answer('change'))
  return h('div', { class: 'stack' }, field('Comment', comment), problem, h('div', { class: 'row' }, ...buttons))
}

try {
  const { client, plans } = await post<{ client: string; plans: ShownPlan[] }>('approval', {})
  place.replaceChildren(
    h('h1', {}, `Plans for ${client}`),
    plans.length === 0
      ? h('p', { class: 'empty' }, 'Nothing is waiting for your approval right now.')
      : h('div', { class: 'stack' }, ...plans.map(planCard)),
  )
} catch (error) {
  place.replaceChildren(
    h('h1', {}, 'Approval'),
    h('p', { class: 'notice', data: { tone: 'failed' }, aria: { role: 'alert' } }, messageOf(error)),
  )
}
