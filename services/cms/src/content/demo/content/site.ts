import type { MenuPlan, TaxonomyPlan } from './plan.ts'

export const settings = {
  title: 'Lantern Quay Books',
  tagline: 'A small bookshop beside the harbor',
  description:
    'New and second-hand books, a bindery, and evenings with people who read. On the quay of Wrenhaven, open all year.',
}

export const taxonomies: readonly TaxonomyPlan[] = [
  {
    name: 'categories',
    label: 'Categories',
    hierarchical: true,
    types: ['article'],
    terms: [
      { slug: 'shop', name: 'From the shop', description: 'What is new, and what changes.' },
      {
        slug: 'reading',
        name: 'Reading',
        below: [
          { slug: 'fiction', name: 'Fiction' },
          { slug: 'nature', name: 'Nature writing' },
          { slug: 'children', name: 'For children' },
        ],
      },
      {
        slug: 'advice',
        name: 'Advice',
        below: [{ slug: 'repairs', name: 'Care and repairs', description: 'From the bench upstairs.' }],
      },
    ],
  },
  {
    name: 'tags',
    label: 'Tags',
    hierarchical: false,
    types: ['article', 'book', 'event'],
    terms: [
      { slug: 'sea', name: 'Sea' },
      { slug: 'walks', name: 'Walks' },
      { slug: 'winter', name: 'Winter' },
      { slug: 'families', name: 'Families' },
      { slug: 'handwork', name: 'Handwork' },
    ],
  },
]

export const menus: readonly MenuPlan[] = [
  {
    name: 'main',
    label: 'Main menu',
    items: [
      { label: 'Books', url: '/books' },
      { label: 'Articles', url: '/articles' },
      { label: 'Events', url: '/events' },
      { label: 'Visit', entry: 'visit' },
      {
        label: 'About',
        entry: 'about',
        children: [
          { label: 'Book repairs', entry: 'repairs' },
          { label: 'Orders and deliveries', entry: 'orders' },
        ],
      },
    ],
  },
  {
    name: 'footer',
    label: 'Footer',
    items: [
      { label: 'Orders and deliveries', entry: 'orders' },
      { label: 'Find us', entry: 'visit' },
      { label: 'Write to us', url: 'mailto:hello@lanternquay.example' },
    ],
  },
]
