import type { Entry } from '@stoa/cms-client'
import { type Content, itemsOf, type Linked, linkedOf, pictureOf, textOf } from './content.ts'
import { eventList, listEvents } from './events.ts'
import { type Html, html } from './html.ts'
import type { PageParts } from './layout.ts'
import { articleCards, articlePath, longText, picture } from './parts.ts'

const ARTICLES = 6
const EVENTS = 3

export const homePage = async (content: Content, locale: string): Promise<PageParts> => {
  const [settings, home, articles, events] = await Promise.all([
    content.settings(),
    content.single('home'),
    content.list('article', { page: 1, limit: ARTICLES }),
    listEvents(content, EVENTS),
  ])
  if (!home && articles.items.length === 0 && settings.title === '') return welcomePage()
  const intro = home && (await longText(content, home, 'intro'))
  return {
    title: '',
    description: settings.description || settings.tagline,
    body: html`<section class="hero${home && pictureOf(home, 'picture') && ' has-picture'}">
<div class="hero-text">
${home && textOf(home, 'notice') && html`<p class="notice">${textOf(home, 'notice')}</p>`}
<h1>${(home && textOf(home, 'headline')) || settings.title || 'Welcome'}</h1>
<div class="prose">${intro ?? html`<p>${settings.tagline}</p>`}</div>
</div>
${home && picture(pictureOf(home, 'picture'))}
</section>
${home && featured(linkedOf(home, 'featured')[0])}
<section class="latest" aria-labelledby="latest">
<h2 id="latest">Latest articles</h2>
${articleCards(articles.items, locale, 'h3')}
${articles.meta.total > ARTICLES && html`<p><a class="more" href="/articles">All articles</a></p>`}
</section>
${(events.length > 0 || (home && itemsOf(home, 'hours').length > 0)) && html`<div class="columns">${comingUp(events, locale)}${hours(home)}</div>`}`,
  }
}

const featured = (article: Linked | undefined): Html | null => {
  if (article?.type !== 'article') return null
  return html`<section class="featured" aria-labelledby="featured">
${picture(pictureOf(article, 'cover'))}
<div><p class="meta">Worth reading</p>
<h2 id="featured" class="featured-title"><a href="${articlePath(article)}">${article.title}</a></h2>
<p>${textOf(article, 'summary')}</p></div>
</section>`
}

const comingUp = (events: readonly Entry[], locale: string): Html | null =>
  events.length === 0
    ? null
    : html`<section class="coming" aria-labelledby="coming"><h2 id="coming">Coming up</h2>
${eventList(events, locale)}<p><a class="more" href="/events">All events</a></p></section>`

const hours = (home: Entry | null): Html | null => {
  const lines = home ? itemsOf(home, 'hours') : []
  if (lines.length === 0) return null
  return html`<section class="opening" aria-labelledby="opening"><h2 id="opening">Opening hours</h2>
<dl class="hours">${lines.map((line) => html`<dt>${textOf(line, 'days')}</dt><dd>${textOf(line, 'times')}</dd>`)}</dl></section>`
}

/** A site that nobody has filled yet says how to begin. */
const welcomePage = (): PageParts => ({
  title: '',
  description: 'A new website',
  body: html`<section class="hero">
<h1>Your website is running</h1>
<div class="prose"><p>It is empty so far. A few steps fill it:</p>
<ol class="steps">
<li><a href="/admin/">Open the admin</a>. The first visitor claims the site; do it now, and start with the demo to see a
whole website here at once.</li>
<li>Or start empty: give the site a title in its settings, and <code>this address</code> as the address of the website.</li>
<li>Make a content type <code>article</code> with a text field <code>summary</code>, a rich text field <code>body</code> and
a media field <code>cover</code>. Its preview address is <code>/articles/{slug}</code>.</li>
<li>Write an article and publish it. It appears here at once.</li>
</ol>
<p>Optional: a type <code>page</code> with a field <code>body</code> and the preview address <code>/{slug}</code>; a single
type <code>home</code> with the fields <code>headline</code> and <code>intro</code>; the menus <code>main</code> and
<code>footer</code>.</p></div>
</section>`,
})
