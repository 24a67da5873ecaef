import { type EntryPlan, PUBLISHED, paragraphs } from './plan.ts'

const tag = (slug: string) => ({ taxonomy: 'tags', slug })

export const events: readonly EntryPlan[] = [
  {
    type: 'event',
    slug: 'story-morning',
    title: 'Story morning: the bear who knew the way',
    terms: [tag('families')],
    outcome: PUBLISHED,
    data: ({ picture, entry, moment }) => ({
      summary: 'For everyone from three to seven, and for the people who bring them.',
      startsAt: moment(6, 10),
      endsAt: moment(6, 11),
      kind: 'children',
      audience: ['families'],
      place: 'The story corner',
      price: 0,
      picture: picture('story-corner'),
      hosts: [entry('noor-haddad')],
      body: paragraphs(
        'Noor reads, everybody growls. Bring a cushion if you have a favorite one. No booking; when the rug is full, it is full.',
      ),
    }),
  },
  {
    type: 'event',
    slug: 'bookbinding-for-beginners',
    title: 'Bookbinding for beginners',
    terms: [tag('handwork')],
    outcome: PUBLISHED,
    data: ({ picture, entry, moment }) => ({
      summary: 'Fold, sew and cover a notebook in one afternoon. You take it home.',
      startsAt: moment(13, 14),
      endsAt: moment(13, 18),
      kind: 'workshop',
      audience: ['adults'],
      place: 'The bindery, upstairs',
      price: 45,
      picture: picture('open-book'),
      hosts: [entry('idris-vale')],
      programme: [
        { time: '14:00', what: 'Paper, grain and folding' },
        { time: '15:00', what: 'Sewing on tapes' },
        { time: '16:30', what: 'Boards, cloth and tea' },
      ],
      body: paragraphs(
        'Six places, all tools included. Idris shows each step twice: once slowly, once with the mistakes that everybody makes.',
      ),
    }),
  },
  {
    type: 'event',
    slug: 'an-evening-of-lighthouse-diaries',
    title: 'An evening of lighthouse diaries',
    terms: [tag('sea'), tag('winter')],
    outcome: PUBLISHED,
    data: ({ picture, entry, moment }) => ({
      summary: 'Two keepers, four years, one teapot: a reading by the stove, with the lights low.',
      startsAt: moment(20, 18, 30),
      endsAt: moment(20, 20),
      kind: 'reading',
      audience: ['adults'],
      place: 'The back room',
      price: 8,
      soldOut: true,
      picture: picture('lighthouse-at-night'),
      hosts: [entry('marta-quist'), entry('idris-vale')],
      body: paragraphs(
        'Marta and Idris read the entries of both keepers in turn. They do not agree about the weather, and about little else. Soup from the bakery at half past seven.',
      ),
    }),
  },
  {
    type: 'event',
    slug: 'swap-night',
    title: 'Swap night',
    outcome: { kind: 'draft' },
    data: ({ moment }) => ({
      summary: 'Bring three books, take three books. The date is not certain yet.',
      startsAt: moment(34, 17),
      kind: 'reading',
      price: 0,
    }),
  },
]
