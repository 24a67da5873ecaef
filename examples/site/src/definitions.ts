import type { CmsOptions } from '@stoa/cms-host'

/** The links in the header while nobody has made the menu `main`. */
export const DEFAULT_LINKS = [
  { label: 'Home', url: '/' },
  { label: 'Articles', url: '/articles' },
]

/** The links in the footer while nobody has made the menu `footer`. */
export const DEFAULT_FOOTER_LINKS = [{ label: 'Search', url: '/search' }]

/** The parts that all pages share, so that they can be edited where they are seen. Selectors as in `layout.ts`. */
export const website = {
  previewUrl: '/',
  parts: [
    {
      id: 'brand',
      label: 'Name and logo',
      selector: '.site-name',
      source: { kind: 'settings', fields: ['title', 'logoId'] },
    },
    {
      id: 'navigation',
      label: 'Main menu',
      description: 'The links at the top of every page',
      selector: '.site-nav',
      source: { kind: 'menu', name: 'main', label: 'Main menu', defaults: DEFAULT_LINKS },
    },
    {
      id: 'footer-brand',
      label: 'Name and tagline',
      description: 'At the end of every page',
      selector: '.footer-brand',
      source: { kind: 'settings', fields: ['title', 'tagline'] },
    },
    {
      id: 'footer-text',
      label: 'Footer text',
      description: 'The address and the small line at the end of every page',
      selector: '.footer-text',
      source: { kind: 'entry', type: 'footer', fields: ['address', 'note'] },
    },
    {
      id: 'footer-navigation',
      label: 'Footer menu',
      description: 'The links at the end of every page',
      selector: '.footer-nav',
      source: { kind: 'menu', name: 'footer', label: 'Footer menu', defaults: DEFAULT_FOOTER_LINKS },
    },
  ],
} as const satisfies CmsOptions['website']

/** The pages that can be edited on the page itself, by content type. Selectors as in the file of the page. */
export const visual = {
  home: {
    sections: [
      {
        id: 'hero',
        label: 'Welcome',
        selector: '.hero',
        fields: ['notice', 'headline', 'intro', 'picture'],
        movable: false,
      },
      {
        id: 'books',
        label: 'Books',
        selector: '.home-books',
        fields: ['booksTitle'],
        collection: { type: 'book', label: 'Books' },
      },
      {
        id: 'pick',
        label: 'Book of the month',
        selector: '.home-pick',
        fields: ['pickTitle', 'pick', 'pickText'],
      },
      {
        id: 'events',
        label: 'Events',
        selector: '.home-events',
        fields: ['eventsTitle'],
        collection: { type: 'event', label: 'Events' },
      },
      {
        id: 'articles',
        label: 'Articles',
        selector: '.home-articles',
        fields: ['articlesTitle', 'featured'],
        collection: { type: 'article', label: 'Articles' },
      },
      { id: 'quote', label: 'Quotation', selector: '.home-quote', fields: ['quote', 'quoteBy'] },
      { id: 'shop', label: 'The shop', selector: '.home-shop', fields: [] },
      // Inside of the section above: these two change places with each other.
      {
        id: 'story',
        label: 'About the shop',
        selector: '.shop-story',
        fields: ['storyTitle', 'storyText', 'storyPicture'],
      },
      { id: 'hours', label: 'Opening hours', selector: '.shop-hours', fields: ['hoursTitle', 'hours'] },
    ],
    fields: {
      notice: '.hero-notice',
      headline: '.hero-headline',
      intro: '.hero-intro',
      picture: '.hero-picture img',
      booksTitle: '.books-title',
      pickTitle: '.pick-title',
      pick: '.pick-cover, .pick-book',
      pickText: '.pick-text',
      eventsTitle: '.events-title',
      articlesTitle: '.articles-title',
      featured: '.lead',
      quote: '.quote-text',
      quoteBy: '.quote-by',
      storyTitle: '.story-title',
      storyText: '.story-text',
      storyPicture: '.story-picture img',
      hoursTitle: '.hours-title',
      hours: '.hours',
    },
    references: { pick: { type: 'book', label: 'Book' } },
    formatted: ['headline', 'quote'],
  },
  book: {
    sections: [
      {
        id: 'heading',
        label: 'Heading',
        selector: '.book-head',
        fields: ['$title', 'writer', 'summary', 'cover', 'pattern', 'paper', 'binding', 'pages', 'price'],
        movable: false,
      },
      { id: 'text', label: 'Why we like it', selector: '.book-text', fields: ['body'] },
      { id: 'person', label: 'Recommended by', selector: '.book-person', fields: ['pickedBy'] },
      {
        id: 'more',
        label: 'More books',
        selector: '.book-more',
        collection: { type: 'book', label: 'Books' },
      },
    ],
    fields: {
      $title: '.book-name',
      writer: '.book-writer-name',
      summary: '.book-head .standfirst',
      cover: '.book-cover',
      body: '.book-text',
      pickedBy: '.book-person',
    },
  },
  article: {
    sections: [
      {
        id: 'heading',
        label: 'Heading',
        selector: '.article-head',
        fields: ['$title', 'summary', 'date', 'cover'],
        movable: false,
      },
      { id: 'body', label: 'Text', selector: '.article-body', fields: ['body'] },
      { id: 'gallery', label: 'Pictures', selector: '.article-gallery', fields: ['gallery'] },
      { id: 'author', label: 'Written by', selector: '.article-person', fields: ['author'] },
      {
        id: 'next',
        label: 'Read next',
        selector: '.article-next',
        fields: ['related'],
        collection: { type: 'article', label: 'Articles' },
      },
    ],
    fields: {
      $title: '.article-title',
      summary: '.article-head .standfirst',
      date: '.article-head time',
      cover: '.article-cover img',
      body: '.article-body',
      gallery: '.article-gallery',
      author: '.article-person',
      related: '.article-next .cards',
    },
  },
  event: {
    sections: [
      {
        id: 'heading',
        label: 'Heading',
        selector: '.event-head',
        fields: ['$title', 'summary', 'startsAt', 'picture'],
        movable: false,
      },
      {
        id: 'details',
        label: 'Date, place and price',
        selector: '.event-details',
        fields: ['startsAt', 'endsAt', 'place', 'price', 'soldOut'],
      },
      { id: 'body', label: 'Text', selector: '.event-body', fields: ['body'] },
      { id: 'programme', label: 'Program', selector: '.event-programme', fields: ['programme'] },
      { id: 'hosts', label: 'Hosts', selector: '.event-hosts', fields: ['hosts'] },
    ],
    fields: {
      $title: '.event-name',
      summary: '.event-head .standfirst',
      startsAt: '.event-head .day',
      picture: '.event-picture img',
      place: '.event-details',
      body: '.event-body',
      programme: '.event-programme .contents',
      hosts: '.event-hosts',
    },
  },
  page: {
    sections: [
      {
        id: 'heading',
        label: 'Heading',
        selector: '.page-head',
        fields: ['$title', 'summary', 'cover'],
        movable: false,
      },
      { id: 'body', label: 'Text', selector: '.page-body', fields: ['body'] },
      { id: 'questions', label: 'Questions and answers', selector: '.page-questions', fields: ['questions'] },
    ],
    fields: {
      $title: '.page-title',
      summary: '.page-head .standfirst',
      cover: '.page-cover img',
      body: '.page-body',
      questions: '.page-questions',
    },
  },
} as const satisfies CmsOptions['visual']
