import type { CmsOptions } from '@stoa/cms-host'

/** The links in the header while nobody has made the menu `main`. */
export const DEFAULT_LINKS = [
  { label: 'Home', url: '/' },
  { label: 'Articles', url: '/articles' },
]

/** The parts that all pages share, so that they can be edited where they are seen. Selectors as in `layout.ts`. */
export const website = {
  previewUrl: '/',
  parts: [
    {
      id: 'brand',
      label: 'Name of the site',
      selector: '.site-name',
      source: { kind: 'settings', fields: ['title', 'logoId'] },
    },
    {
      id: 'navigation',
      label: 'Navigation',
      description: 'The links at the top of every page',
      selector: '.site-nav',
      source: { kind: 'menu', name: 'main', label: 'Main menu', defaults: DEFAULT_LINKS },
    },
    {
      id: 'footer',
      label: 'Footer',
      selector: '.site-footer',
      source: { kind: 'settings', fields: ['title', 'tagline'] },
    },
  ],
} as const satisfies CmsOptions['website']

/** The pages that can be edited on the page itself. Selectors as in `pages.ts`. */
export const visual = {
  home: {
    sections: [
      { id: 'hero', label: 'Welcome', selector: '.hero', fields: ['headline', 'intro'] },
      {
        id: 'latest',
        label: 'Latest articles',
        selector: '.latest',
        collection: { type: 'article', label: 'Articles' },
      },
    ],
    fields: { headline: '.hero h1', intro: '.hero .prose' },
  },
  article: {
    sections: [
      { id: 'heading', label: 'Heading', selector: '.article-head', fields: ['$title', 'summary'], movable: false },
      { id: 'body', label: 'Text', selector: '.article-body', fields: ['body'] },
    ],
    fields: { $title: '.article-head h1', summary: '.article-head .summary', body: '.article-body' },
  },
} as const satisfies CmsOptions['visual']
