import type { Entry } from '@stoa/cms-client'
import { type Content, itemsOf, linkedOf, pictureOf, textOf } from './content.ts'
import { type Html, html } from './html.ts'
import type { PageParts } from './layout.ts'
import { longText, picture } from './parts.ts'

const PER_PAGE = 50

/** The next ones first. */
export const listEvents = async (content: Content, limit = PER_PAGE): Promise<readonly Entry[]> => {
  // A type of the same name that is made otherwise cannot be ordered by the time.
  if ((await content.fieldType('event', 'startsAt')) !== 'datetime') return []
  return (await content.list('event', { page: 1, limit, sort: 'startsAt' })).items
}

export const eventsPage = async (content: Content, locale: string): Promise<PageParts> => ({
  title: 'Events',
  description: 'What is on',
  body: html`<h1>Events</h1>${eventList(await listEvents(content), locale)}`,
})

export const eventList = (events: readonly Entry[], locale: string): Html =>
  events.length === 0
    ? html`<p class="empty">Nothing is planned at the moment.</p>`
    : html`<ul class="events">${events.map(
        (event) => html`<li>
<p class="meta">${when(event, locale)}${event.data.soldOut === true && html` · <strong>sold out</strong>`}</p>
<p class="event-title"><a href="/events/${encodeURIComponent(event.slug)}">${event.title}</a></p>
<p>${textOf(event, 'summary')}</p>
</li>`,
      )}</ul>`

export const eventPage = async (content: Content, slug: string, locale: string): Promise<PageParts | null> => {
  const event = await content.entry('event', slug)
  if (!event) return null
  const summary = textOf(event, 'summary')
  const programme = itemsOf(event, 'programme')
  return {
    title: event.title,
    description: summary,
    picture: pictureOf(event, 'picture')?.url ?? null,
    body: html`<article>
<header class="article-head">
<h1>${event.title}</h1>
<p class="meta">${when(event, locale)}${textOf(event, 'place') && html` · ${textOf(event, 'place')}`} · ${price(event, locale)}</p>
${summary && html`<p class="summary">${summary}</p>`}
${picture(pictureOf(event, 'picture'))}
</header>
<div class="article-body prose">${await longText(content, event, 'body')}
${
  programme.length > 0 &&
  html`<h2>Programme</h2><dl class="hours">${programme.map((item) => html`<dt>${textOf(item, 'time')}</dt><dd>${textOf(item, 'what')}</dd>`)}</dl>`
}
${hosts(event)}</div>
</article>`,
  }
}

const hosts = (event: Entry): Html | null => {
  const names = linkedOf(event, 'hosts').map(({ title }) => title)
  return names.length === 0 ? null : html`<p class="meta">With ${names.join(' and ')}</p>`
}

const price = ({ data }: Entry, locale: string): Html => {
  if (data.soldOut === true) return html`<strong>sold out</strong>`
  if (typeof data.price !== 'number' || data.price === 0) return html`free`
  return html`${new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).format(data.price)}`
}

const when = (event: Entry, locale: string): Html | null => {
  const at = textOf(event, 'startsAt')
  if (at === '' || Number.isNaN(Date.parse(at))) return null
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' }).format(new Date(at))
  return html`<time datetime="${at}">${text}</time>`
}
