import type { Entry } from '@stoa/cms-client'
import { type Content, itemsOf, linkedOf, pictureOf, textOf } from './content.ts'
import { cleanedHtml, type Html, html } from './html.ts'
import type { PageParts } from './layout.ts'
import { contents, longText, money, person, picture } from './parts.ts'

const PER_PAGE = 50
const PAST = 6

/** Events that have not begun before today, the next ones first. */
export const comingEvents = (content: Content, today: string, limit = PER_PAGE): Promise<readonly Entry[]> =>
  listEvents(content, { limit, sort: 'startsAt', filter: { startsAt: { gte: today } } })

const pastEvents = (content: Content, today: string): Promise<readonly Entry[]> =>
  listEvents(content, { limit: PAST, sort: '-startsAt', filter: { startsAt: { lt: today } } })

const listEvents = async (
  content: Content,
  options: Omit<Parameters<Content['list']>[1], 'page'>,
): Promise<readonly Entry[]> => {
  // A type of the same name that is made otherwise cannot be ordered by the time.
  if ((await content.fieldType('event', 'startsAt')) !== 'datetime') return []
  return (await content.list('event', { page: 1, ...options })).items
}

export const eventsPage = async (content: Content, today: string, locale: string): Promise<PageParts> => {
  const [coming, past] = await Promise.all([comingEvents(content, today), pastEvents(content, today)])
  return {
    title: 'Events',
    description: 'Readings, workshops and everything else that is coming up',
    body: html`<div class="wrap list-page">
<h1 class="list-title">Events</h1>
${eventList(coming, locale, 'h2')}
${past.length > 0 && html`<section class="past" aria-labelledby="past"><header class="section-head"><h2 id="past" class="section-title">Past events</h2></header>${eventList(past, locale, 'h3')}</section>`}
</div>`,
  }
}

export const eventList = (events: readonly Entry[], locale: string, level: 'h2' | 'h3'): Html => {
  if (events.length === 0) return html`<p class="empty">Nothing is planned at the moment.</p>`
  const heading = cleanedHtml(level)
  return html`<ol class="events">${events.map(
    (event) => html`<li class="event">
${dayOf(event, locale)}
<div class="event-text">
<${heading} class="event-title"><a href="${eventPath(event)}">${event.title}</a></${heading}>
<p>${textOf(event, 'summary')}</p>
</div>
<p class="event-facts"><span>${timeOf(event, locale)}</span><span>${textOf(event, 'place')}</span><span>${price(event, locale)}</span></p>
</li>`,
  )}</ol>`
}

export const eventPath = ({ slug }: { slug: string }): string => `/events/${encodeURIComponent(slug)}`

export const eventPage = async (content: Content, slug: string, locale: string): Promise<PageParts | null> => {
  const event = await content.entry('event', slug)
  if (!event) return null
  const summary = textOf(event, 'summary')
  const found = pictureOf(event, 'picture')
  const programme = itemsOf(event, 'programme').map((item) => [textOf(item, 'time'), textOf(item, 'what')] as const)
  return {
    entry: event,
    title: event.title,
    description: summary,
    picture: found?.url ?? null,
    body: html`<article class="event-page">
<header class="event-head wrap">
<div class="event-lead">
${dayOf(event, locale)}
<h1 class="event-name">${event.title}</h1>
${summary && html`<p class="standfirst">${summary}</p>`}
</div>
${found && html`<figure class="event-picture">${picture(found, { first: true, sizes: '(min-width: 60rem) 36rem, 100vw' })}</figure>`}
</header>
<section class="event-details wrap" aria-label="Details">${contents(details(event, locale))}</section>
<div class="event-body wrap prose">${await longText(content, event, 'body')}</div>
${
  programme.length > 0 &&
  html`<section class="event-programme wrap" aria-labelledby="programme"><h2 id="programme" class="minor-title">Program</h2>${contents(programme)}</section>`
}
<div class="event-hosts wrap">${linkedOf(event, 'hosts').map((host) => person(host, 'With', 'event-person'))}</div>
</article>`,
  }
}

const details = (event: Entry, locale: string): [string, string | Html][] => {
  const at = startOf(event)
  const place = textOf(event, 'place')
  return [
    ...(at ? [['Date', html`${format(at, locale, { dateStyle: 'full' })}`] satisfies [string, Html]] : []),
    ...(at ? [['Time', html`${timeOf(event, locale)}`] satisfies [string, Html]] : []),
    ...(place ? [['Place', place] satisfies [string, string]] : []),
    ['Price', price(event, locale)],
  ]
}

const price = ({ data }: Entry, locale: string): Html => {
  if (data.soldOut === true) return html`<strong class="sold-out">Sold out</strong>`
  if (typeof data.price !== 'number' || data.price === 0) return html`Free`
  return html`${money(data.price, locale)}`
}

const startOf = (event: Entry, key = 'startsAt'): Date | null => {
  const at = textOf(event, key)
  return at === '' || Number.isNaN(Date.parse(at)) ? null : new Date(at)
}

const format = (at: Date, locale: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale, options).format(at)

const timeOf = (event: Entry, locale: string): string | null => {
  const [begins, ends] = [startOf(event), startOf(event, 'endsAt')]
  if (!begins) return null
  const range = new Intl.DateTimeFormat(locale, { timeStyle: 'short', hour12: false })
  return ends && ends > begins ? range.formatRange(begins, ends) : range.format(begins)
}

/** The day as on a calendar: number, month, day of the week. */
const dayOf = (event: Entry, locale: string): Html | null => {
  const at = startOf(event)
  if (!at) return null
  return html`<time class="day" datetime="${at.toISOString()}"><span class="day-number">${format(at, locale, { day: 'numeric' })}</span>
<span class="day-month">${format(at, locale, { month: 'long' })}</span>
<span class="day-week">${format(at, locale, { weekday: 'long' })}</span></time>`
}
