import { type EntryPlan, PUBLISHED, paragraphs } from './plan.ts'

export const pages: readonly EntryPlan[] = [
  {
    type: 'page',
    slug: 'about',
    title: 'About the shop',
    outcome: PUBLISHED,
    data: ({ picture, figure }) => ({
      summary: 'Three people, two floors, one harbor: who we are and how the shop came to be.',
      cover: picture('shelves'),
      body: `${paragraphs('Lantern Quay Books has been on the quay of Wrenhaven since 1987. It began with a sailmaker’s loft, a load of shelves from a closed school, and Marta’s aunt, who wanted to live where the books were.')}
<h2>What you find here</h2>
<ul><li>Downstairs: new books, chosen one by one. If we did not like it, it has to be ordered.</li><li>The back room: second-hand, with the sea and the travels along the long wall.</li><li>Upstairs: the bindery, where Idris mends books at the window.</li></ul>
${figure('reading-lamp', 'The table by the window, early on a Thursday', 'wide')}
<h2>What we believe</h2>
${paragraphs('A good bookshop is a place where you can be wrong about what you wanted. Stay as long as you like. Sit down. Put it back if it is not for you.')}`,
    }),
  },
  {
    type: 'page',
    slug: 'visit',
    title: 'Visit',
    outcome: PUBLISHED,
    data: ({ picture }) => ({
      summary: 'Where we are, when we are open, and how to come with a wheelchair, a pram or a boat.',
      cover: picture('harbor-at-dawn'),
      body: `${paragraphs('<strong>Lantern Quay Books</strong><br>Lantern Quay 7, Wrenhaven', 'We are the ochre house with the lamp, between the chandlery and the bakery.')}
<h2>Opening hours</h2>
<table><thead><tr><th scope="col">Day</th><th scope="col">Open</th></tr></thead><tbody><tr><td>Tuesday, Wednesday, Friday</td><td>10 to 18</td></tr><tr><td>Thursday</td><td>7 to 19</td></tr><tr><td>Saturday</td><td>9 to 16</td></tr><tr><td>Sunday and Monday</td><td>closed</td></tr></tbody></table>
<h2>Getting here</h2>
<ul><li><strong>On foot:</strong> eight minutes from the station, always downhill.</li><li><strong>By bus:</strong> line 4 to Fish Market.</li><li><strong>By boat:</strong> visitors’ berths are in front of the door; the first two hours are free.</li></ul>`,
      questions: [
        {
          question: 'Is the shop accessible by wheelchair?',
          answer:
            'The ground floor and the back room are. The bindery is up a steep stair; Idris is glad to come down.',
        },
        { question: 'May I bring my dog?', answer: 'Yes. There is water by the door, and a towel for rainy days.' },
        { question: 'Can I pay by card?', answer: 'Yes, even small amounts.' },
      ],
    }),
  },
  {
    type: 'page',
    slug: 'repairs',
    title: 'Book repairs',
    outcome: PUBLISHED,
    data: ({ picture }) => ({
      summary: 'Loose pages, broken spines, water: what we mend, what it costs and how long it takes.',
      cover: picture('open-book'),
      body: `${paragraphs('Bring the book as it is, with all the pieces. Idris looks at it with you and tells you what can be done, what it costs, and whether it is worth it. Looking is free.')}
<table><caption>Usual repairs</caption><thead><tr><th scope="col">Work</th><th scope="col">From</th><th scope="col">Weeks</th></tr></thead><tbody><tr><td>Loose pages put back</td><td>€ 12</td><td>1</td></tr><tr><td>New spine, old cover kept</td><td>€ 38</td><td>3</td></tr><tr><td>New cloth binding</td><td>€ 60</td><td>4</td></tr><tr><td>Water damage</td><td>by agreement</td><td>2 to 6</td></tr></tbody></table>
<p>Wet at this very moment? Read <a href="/articles/how-to-dry-a-wet-book">how to dry a wet book</a> first.</p>`,
      questions: [
        { question: 'Do you mend comics and paperbacks?', answer: 'Yes. What counts is that you will read it again.' },
        {
          question: 'Will it be as good as new?',
          answer: 'Better: it will be sewn. But you will see that it was mended, and we think that is right.',
        },
      ],
    }),
  },
  {
    type: 'page',
    slug: 'orders',
    title: 'Orders and deliveries',
    outcome: PUBLISHED,
    data: ({ picture }) => ({
      summary: 'Order until noon, collect the next day, or let the bicycle bring it.',
      cover: picture('parcels'),
      body: `${paragraphs('Write to us or call, with whatever you know: a title, a name, the color of the cover. We find it.')}
<h2>How it comes to you</h2>
<ol><li><strong>Collect it.</strong> What is ordered before noon is here on the next working day, after ten.</li><li><strong>By bicycle.</strong> Inside Wrenhaven on Tuesdays and Fridays, free from € 20.</li><li><strong>By post.</strong> In brown paper and card, no plastic.</li></ol>`,
      questions: [
        {
          question: 'Can I send something back?',
          answer: 'Within four weeks, as long as it can be sold as new. Second-hand books can always be exchanged.',
        },
        {
          question: 'Do you wrap presents?',
          answer: "With pleasure. Tell us who it's for, and we'll choose the paper.",
        },
      ],
    }),
  },
  {
    type: 'page',
    slug: 'gift-subscriptions',
    title: 'Gift subscriptions',
    outcome: { kind: 'draft' },
    data: () => ({
      summary: 'A book a month, chosen for one person.',
      body: paragraphs(
        'A book a month, chosen for one person who told us ten books that they love. Prices are still to be decided.',
      ),
    }),
  },
]

export const home: EntryPlan = {
  type: 'home',
  slug: 'home',
  title: 'Home page',
  outcome: PUBLISHED,
  data: ({ picture, entry }) => ({
    notice: 'Thursdays from seven in the morning, with coffee from the bakery next door',
    headline: 'Books, lamplight<br><i>and the sound<br>of the harbor</i>',
    intro: paragraphs(
      'New and second-hand books on two floors, a bindery at the window, and a chair that is probably free. Come in; the bell is only to let us know.',
    ),
    picture: picture('reading-lamp'),
    booksTitle: 'New on the shelf',
    pickTitle: 'Book of the month',
    pick: 'one-table-one-day',
    pickText:
      'It takes place at one table, on one day, and has more storm in it than ten books about the sea. We don’t put it in the window. Ask for it.',
    eventsTitle: 'Coming up',
    articlesTitle: 'From the journal',
    featured: entry('a-morning-with-the-tide-charts'),
    quote: 'A good bookshop is a place where you can be <i>wrong</i> about what you wanted.',
    quoteBy: 'Marta Quist',
    storyTitle: 'Three people, two floors, one harbor',
    storyText:
      'Since 1987, in a sailmaker’s loft on the quay of Wrenhaven. Downstairs the new books, chosen one by one; in the back room the second-hand ones; upstairs Idris, who mends what others would throw away.',
    storyPicture: picture('shelves'),
    hoursTitle: 'Opening hours',
    hours: [
      { days: 'Tuesday, Wednesday, Friday', times: '10 to 18' },
      { days: 'Thursday', times: '7 to 19' },
      { days: 'Saturday', times: '9 to 16' },
    ],
  }),
}

export const footer: EntryPlan = {
  type: 'footer',
  slug: 'footer',
  title: 'Footer',
  outcome: PUBLISHED,
  data: () => ({
    address: 'Lantern Quay 7\nWrenhaven\nThe ochre house with the lamp',
    note: 'Drawn, set and bound beside the harbor.',
  }),
}
