import type { Entry } from '@stoa/cms-client'
import { bookPath, bookShelf, cover, listBooks } from './books.ts'
import { type Content, itemsOf, linkedOf, pictureOf, textOf } from './content.ts'
import { comingEvents, eventList } from './events.ts'
import { formattedHtml, type Html, html } from './html.ts'
import type { PageParts } from './layout.ts'
import { articleCard, articlePath, contents, date, longText, person, picture, plainText, sectionHead } from './parts.ts'

const ARTICLES = 4
const BOOKS = 6
const EVENTS = 3

/** Every section stands alone: editors move and hide them on the page itself. */
export const homePage = async (content: Content, today: string, locale: string): Promise<PageParts> => {
  const [settings, home, books, articles, events] = await Promise.all([
    content.settings(),
    content.single('home'),
    listBooks(content, BOOKS),
    content.list('article', { page: 1, limit: ARTICLES }),
    comingEvents(content, today, EVENTS),
  ])
  if (!home && articles.items.length === 0 && settings.title === '') return welcomePage()
  const text = (key: string): string => (home ? textOf(home, key) : '')
  const pick = text('pick') ? await content.entry('book', text('pick')) : null
  return {
    ...(home && { entry: home }),
    title: '',
    description: settings.description || settings.tagline,
    body: html`${await hero(content, home, settings)}
${
  books.length > 0 &&
  html`<section class="home-books wrap" aria-labelledby="books">
${sectionHead(text('booksTitle') || 'Books', { id: 'books', className: 'books-title', all: { url: '/books', label: 'All books' } })}
${bookShelf(books, locale, 'h3')}
</section>`
}
${pick && pickOf(pick, text('pickTitle') || 'Book of the month', text('pickText'))}
${
  events.length > 0 &&
  html`<section class="home-events wrap" aria-labelledby="events">
${sectionHead(text('eventsTitle') || 'Events', { id: 'events', className: 'events-title', all: { url: '/events', label: 'All events' } })}
${eventList(events, locale, 'h3')}
</section>`
}
${latest(articles.items, home, locale)}
${
  text('quote') &&
  html`<section class="home-quote wrap"><blockquote><p class="quote-text">${formattedHtml(text('quote'))}</p></blockquote>
${text('quoteBy') && html`<p class="quote-by">${text('quoteBy')}</p>`}</section>`
}
${home && shop(home)}`,
  }
}

const hero = async (
  content: Content,
  home: Entry | null,
  { title, tagline }: { title: string; tagline: string },
): Promise<Html> => {
  const found = home && pictureOf(home, 'picture')
  return html`<section class="hero${found && ' has-picture'}">
${found && html`<div class="hero-picture">${picture(found, { first: true, sizes: '(min-width: 60rem) 90vw, 100vw' })}</div>`}
<div class="hero-text wrap">
${home && textOf(home, 'notice') && html`<p class="hero-notice">${textOf(home, 'notice')}</p>`}
<h1 class="hero-headline">${home && textOf(home, 'headline') ? formattedHtml(textOf(home, 'headline')) : title || 'Welcome'}</h1>
<div class="hero-intro">${home ? await longText(content, home, 'intro') : html`<p>${tagline}</p>`}</div>
</div>
</section>`
}

const pickOf = (
  book: Entry,
  title: string,
  text: string,
): Html => html`<section class="home-pick" aria-labelledby="pick">
<div class="wrap">
<a class="pick-cover" href="${bookPath(book)}" tabindex="-1" aria-hidden="true">${cover(book)}</a>
<div class="pick-words">
<h2 id="pick" class="pick-title">${title}</h2>
<p class="pick-book"><a href="${bookPath(book)}">${book.title}</a></p>
<p class="book-writer">${textOf(book, 'writer')}</p>
<div class="pick-text">${plainText(text || textOf(book, 'summary'))}</div>
${person(withoutText(linkedOf(book, 'pickedBy')[0]), 'Recommended by', 'pick-person')}
</div>
</div>
</section>`

/** A name and a face are enough here. */
const withoutText = (found: ReturnType<typeof linkedOf>[number] | undefined): typeof found =>
  found && { ...found, data: { ...found.data, bio: '' } }

/** One article shown large, the others beside it. */
const latest = (articles: readonly Entry[], home: Entry | null, locale: string): Html => {
  const [chosen] = home ? linkedOf(home, 'featured') : []
  const lead = chosen?.type === 'article' ? chosen : articles[0]
  const others = articles.filter(({ slug }) => slug !== lead?.slug).slice(0, ARTICLES - 1)
  return html`<section class="home-articles wrap" aria-labelledby="articles">
${sectionHead((home && textOf(home, 'articlesTitle')) || 'Articles', { id: 'articles', className: 'articles-title', all: { url: '/articles', label: 'All articles' } })}
${
  lead
    ? html`<div class="latest">
<article class="lead">
<div class="lead-picture">${picture(pictureOf(lead, 'cover'), { sizes: '(min-width: 60rem) 44rem, 100vw' })}</div>
<p class="meta">${date(lead, locale)}</p>
<h3 class="lead-title"><a href="${articlePath(lead)}">${lead.title}</a></h3>
<p class="lead-text">${textOf(lead, 'summary')}</p>
</article>
${others.length > 0 && html`<ul class="beside">${others.map((article) => html`<li>${articleCard(article, locale, 'h3')}</li>`)}</ul>`}
</div>`
    : html`<p class="empty">No articles have been published yet.</p>`
}
</section>`
}

const shop = (home: Entry): Html | null => {
  const hours = itemsOf(home, 'hours').map((line) => [textOf(line, 'days'), textOf(line, 'times')] as const)
  const [title, text, found] = [textOf(home, 'storyTitle'), textOf(home, 'storyText'), pictureOf(home, 'storyPicture')]
  if (hours.length === 0 && !title && !text && !found) return null
  return html`<section class="home-shop" aria-label="The shop">
<div class="wrap">
${
  (title || text || found) &&
  html`<div class="shop-story">
${found && html`<div class="story-picture">${picture(found, { sizes: '(min-width: 60rem) 40rem, 100vw' })}</div>`}
<h2 class="story-title">${title || 'The shop'}</h2>
<div class="story-text">${plainText(text)}</div>
<p><a class="all" href="/about">About the shop</a></p>
</div>`
}
${
  hours.length > 0 &&
  html`<div class="shop-hours">
<h2 class="hours-title">${textOf(home, 'hoursTitle') || 'Opening hours'}</h2>
<div class="hours">${contents(hours)}</div>
<p><a class="all" href="/visit">Plan your visit</a></p>
</div>`
}
</div>
</section>`
}

/** A site that nobody has filled yet says how to begin. */
const welcomePage = (): PageParts => ({
  title: '',
  description: 'A new website',
  body: html`<section class="message wrap">
<h1>Your website is running</h1>
<div class="prose"><p>It’s still empty. Here’s how to fill it:</p>
<ol class="steps">
<li><a href="/admin/">Open the admin</a> and create the first account, which owns the site. Start with the demo to see a
complete website here right away.</li>
<li>Or start from scratch: in the settings, enter a title, and the URL of this page as the website URL.</li>
<li>Create a content type <code>article</code> with a text field <code>summary</code>, a rich text field <code>body</code>
and a media field <code>cover</code>. Its preview URL is <code>/articles/{slug}</code>.</li>
<li>Write an article and publish it. It appears here right away.</li>
</ol>
<p>Optional: a type <code>page</code> with a field <code>body</code> and the preview URL <code>/{slug}</code>; a single
type <code>home</code> with the fields <code>headline</code> and <code>intro</code>; the menus <code>main</code> and
<code>footer</code>.</p></div>
</section>`,
})
