import { type EntryPlan, PUBLISHED } from './plan.ts'

export const people: readonly EntryPlan[] = [
  {
    type: 'author',
    slug: 'marta-quist',
    title: 'Marta Quist',
    outcome: PUBLISHED,
    data: ({ picture }) => ({
      role: 'Bookseller and owner',
      portrait: picture('marta-quist'),
      bio: 'Marta took over the shop from her aunt, together with four thousand books and a leaking roof. The roof is mended. She reads novels with maps in them.',
      email: 'marta@lanternquay.example',
      website: 'https://lanternquay.example',
    }),
  },
  {
    type: 'author',
    slug: 'idris-vale',
    title: 'Idris Vale',
    outcome: PUBLISHED,
    data: ({ picture }) => ({
      role: 'Bookbinder',
      portrait: picture('idris-vale'),
      bio: 'Idris mends what others would throw away. His bench is by the window upstairs, and he does not mind being watched.',
      email: 'idris@lanternquay.example',
    }),
  },
  {
    type: 'author',
    slug: 'noor-haddad',
    title: 'Noor Haddad',
    outcome: PUBLISHED,
    data: ({ picture }) => ({
      role: 'Children’s books and events',
      portrait: picture('noor-haddad'),
      bio: 'Noor chooses the children’s shelves and holds the story mornings. She has read the same bear out loud two hundred times and still does the voice.',
      email: 'noor@lanternquay.example',
    }),
  },
]
