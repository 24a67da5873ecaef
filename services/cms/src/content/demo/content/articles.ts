import { type EntryPlan, PUBLISHED, paragraphs } from './plan.ts'

const category = (slug: string) => ({ taxonomy: 'categories', slug })
const tag = (slug: string) => ({ taxonomy: 'tags', slug })

/** The oldest first: what comes last is the newest on the website. */
export const articles: readonly EntryPlan[] = [
  {
    type: 'article',
    slug: 'how-to-dry-a-wet-book',
    title: 'How to dry a wet book',
    terms: [category('repairs'), tag('handwork')],
    outcome: PUBLISHED,
    data: ({ picture, entry, day }) => ({
      summary: 'Act in the first hour, be patient for the next two days, and leave the oven alone.',
      cover: picture('open-book'),
      author: entry('idris-vale'),
      date: day(-58),
      minutes: 4,
      body: `${paragraphs('Once a month somebody comes up the stairs with a book in a towel. Most of these books can be saved, and you can do it at home.')}
<h2>The first hour</h2>
<ol><li>Let it drip. Hold the book closed and upright; never wring it.</li><li>If the water was salt, rinse the closed book quickly under cold, clean water. Salt stays damp forever.</li><li>Stand it on kitchen paper, slightly open, and change the paper when it is wet.</li></ol>
<h2>The next two days</h2>
${paragraphs('When the outside is dry, lay the book flat and put a sheet of kitchen paper between every ten pages. Not more, or the spine will spread. Change the sheets in the morning and in the evening.', 'When it feels cool but no longer damp, press it: two boards, a weight, three days.')}
<blockquote><p>Warm air curls the pages, and an oven cooks the glue. A room with an open window does everything that a book needs.</p></blockquote>
<h3>When to bring it to us</h3>
<ul><li>The pages are coated and begin to stick: freeze the book in a bag today, and come tomorrow.</li><li>The spine has come off.</li><li>There is mould. Please do not open it at home.</li></ul>
<p>What a repair costs is on the page about <a href="/repairs">book repairs</a>.</p>`,
    }),
  },
  {
    type: 'article',
    slug: 'the-marsh-path',
    title: 'The marsh path, with a book in your pocket',
    terms: [category('nature'), tag('walks'), tag('sea')],
    outcome: PUBLISHED,
    data: ({ picture, figure, entry, day }) => ({
      summary: 'An hour and a half out to the old pump house and back, with three good places to sit down and read.',
      cover: picture('salt-marsh'),
      gallery: [picture('salt-marsh'), picture('harbor-at-dawn'), picture('regatta')],
      author: entry('marta-quist'),
      date: day(-41),
      minutes: 6,
      body: `${paragraphs('The path begins behind the ropewalk, where the last lamp of the quay stands. Take a small book. You will want one hand for the gate.')}
<h2>To the first bench</h2>
${paragraphs('Ten minutes along the dyke, with the town behind you. At low water the creeks shine like tin. The bench has its back to the wind, which is all one can ask of a bench.')}
<h2>To the pump house</h2>
${paragraphs('Cross both bridges and keep left. The pump house has been shut since 1961, but its south wall is warm from March on. This is the place for a long chapter.')}
<table><thead><tr><th scope="col">Part</th><th scope="col">Minutes</th><th scope="col">Good for</th></tr></thead><tbody><tr><td>Quay to the first bench</td><td>10</td><td>A poem</td></tr><tr><td>To the second bridge</td><td>25</td><td>A letter</td></tr><tr><td>To the pump house</td><td>15</td><td>A long chapter</td></tr></tbody></table>
<p><strong>Look at the tides before you go.</strong> The lower path is under water for an hour on either side of a spring tide. We keep a tide table beside the till.</p>
${figure('tide-chart', 'The table beside the till is easier to read than this one', 'wide')}`,
    }),
  },
  {
    type: 'article',
    slug: 'reading-to-people-who-do-not-sit-still',
    title: 'Reading to people who do not sit still',
    terms: [category('children'), tag('families')],
    outcome: PUBLISHED,
    data: ({ picture, entry, day }) => ({
      summary: 'What two hundred story mornings have taught us about doors, bears and the right moment to stop.',
      cover: picture('story-corner'),
      author: entry('noor-haddad'),
      date: day(-27),
      minutes: 5,
      body: `${paragraphs('Children listen with their feet. Someone who rolls over the rug, looks at the ceiling and takes off a sock will tell you the whole story at lunch.')}
<h2>Choose a book with a door in it</h2>
${paragraphs('Or a hole, a lid, a curtain. Whenever something may be behind it, stop before you turn the page, and look at them. You will have the room.')}
<h2>Three that always work</h2>
<ul><li>A story in which a small animal is the one who knows the way.</li><li>A story with a list that grows and has to be said by everybody.</li><li>A story that ends in bed. It need not be a good one.</li></ul>
<h2>Stop too early</h2>
${paragraphs('Close the book while they still want more. “Again” is the best review there is.', 'Story mornings are on Saturdays at ten. There is coffee for those who have to stay awake.')}`,
    }),
  },
  {
    type: 'article',
    slug: 'a-morning-with-the-tide-charts',
    title: 'A morning with the tide charts',
    terms: [category('nature'), tag('sea')],
    outcome: PUBLISHED,
    data: ({ picture, figure, entry, day }) => ({
      summary:
        'A box from the harbor office held forty hand-drawn charts. We spent a morning finding out what they say.',
      cover: picture('tide-chart'),
      gallery: [picture('tide-chart'), picture('harbor-at-dawn'), picture('regatta')],
      author: entry('idris-vale'),
      related: [entry('the-marsh-path')],
      date: day(-16),
      minutes: 7,
      body: `${paragraphs('The harbor office has moved, and nobody wanted the box. It stood on our step with a note: <em>You are the ones with the paper.</em>')}
${paragraphs('Inside were forty charts of the bay, drawn between 1888 and 1931, most of them by one hand. The depth lines are pencil, gone over in ink once they were certain. Where they are still pencil, they were not.')}
<h2>What a chart remembers</h2>
${paragraphs('Gull Rock was an island then; the bank that joins it to the shore today begins as three small numbers in the corner of a sheet from 1912. Someone measured it, was surprised, and measured again: there are two sets of pencil marks.')}
${figure('lighthouse-at-night', 'Gull Rock, drawn while it was still an island', 'center')}
<blockquote><p>Every number on a chart is a person in a boat, letting down a line.</p></blockquote>
${paragraphs('We have cleaned and flattened eleven of them so far. They hang in the back room until the end of the month, and looking costs nothing.')}`,
    }),
  },
  {
    type: 'article',
    slug: 'ten-books-about-the-sea',
    title: 'Ten books about the sea, and one about a kitchen',
    terms: [category('fiction'), tag('sea'), tag('winter')],
    outcome: {
      kind: 'changed',
      title: 'Ten books about the sea, and one about a kitchen table',
      data: ({ day }) => ({
        summary:
          'For stormy weeks: what we hand over the counter when somebody asks for “something with weather”. Now with prices.',
        date: day(-1),
      }),
    },
    data: ({ picture, entry, day }) => ({
      summary: 'For stormy weeks: what we hand over the counter when somebody asks for “something with weather”.',
      cover: picture('storm-at-sea'),
      author: entry('marta-quist'),
      related: [entry('a-morning-with-the-tide-charts'), entry('the-marsh-path')],
      date: day(-9),
      minutes: 8,
      notes: 'Ask Idris whether the second-hand copies are bound again by Friday.',
      body: `${paragraphs('People who live at the sea do not want to read about beaches. They want weather, and someone who is out in it. This is the pile beside the till.')}
<h2>For one evening</h2>
<ul><li><strong>Short and wet.</strong> A voyage of two hundred pages, and a captain who is wrong about everything but the wind.</li><li><strong>A lighthouse diary.</strong> Four years, two keepers, one teapot.</li><li><strong>Letters from a herring fleet.</strong> Written by the cook, who was the only one with dry paper.</li></ul>
<h2>For a week of rain</h2>
<ol><li>The long one about the whale. You know it; it is better than you remember.</li><li>A family of boat builders through five generations and three fires.</li><li>A history of fog.</li><li>A novel in which nobody goes to sea, and everybody looks at it.</li></ol>
<h2>To read aloud</h2>
${paragraphs('Three ballads, a book of knots with a plot, and a ghost story that is only frightening if you know our harbor.')}
<h2>And the kitchen</h2>
${paragraphs('The eleventh book takes place at one table, on one day. It has more storm in it than the other ten. Ask for it; we do not put it in the window.')}`,
    }),
  },
  {
    type: 'article',
    slug: 'open-at-seven-on-thursdays',
    title: 'Why we open at seven on Thursdays',
    terms: [category('shop')],
    outcome: PUBLISHED,
    data: ({ picture, figure, entry, day }) => ({
      summary: 'The fish market wakes the quay before six. From this month on there is a light in our window, too.',
      cover: picture('harbor-at-dawn'),
      author: entry('marta-quist'),
      related: [entry('ten-books-about-the-sea')],
      date: day(-2),
      minutes: 3,
      body: `${paragraphs('On Thursdays the market comes to the quay before six. By eight the boxes are empty, and people with cold hands and a free hour stand in front of our door, which opens at ten. That was silly.')}
${paragraphs('From this month on we open at <strong>seven on Thursdays</strong>. There is coffee from the harbor bakery, the stove is on, and nobody will ask whether you are looking for something.')}
${figure('reading-lamp', 'The table by the window. It is the first one taken', 'wide')}
<h2>What else is new</h2>
<ul><li>The second-hand room stays open until seven in the evening.</li><li>Orders that reach us before noon are here on the next working day.</li><li>Dogs get water. Wet dogs get a towel.</li></ul>
<p>All opening hours are on the page <a href="/visit">Visit</a>.</p>`,
    }),
  },
  {
    type: 'article',
    slug: 'books-for-the-regatta',
    title: 'Books to take on board: the regatta list',
    terms: [category('fiction'), tag('sea')],
    outcome: { kind: 'scheduled', at: ({ moment }) => moment(5, 7) },
    data: ({ picture, entry, day }) => ({
      summary: 'Small enough for an oilskin pocket, good enough for a calm: nine paperbacks for the regatta week.',
      cover: picture('regatta'),
      author: entry('noor-haddad'),
      related: [entry('ten-books-about-the-sea')],
      date: day(5),
      minutes: 4,
      body: `${paragraphs('The start is on Saturday at eleven, and the forecast says: no wind. You will need something to read.')}
<h2>Nine paperbacks</h2>
${paragraphs('We have put them in a box by the door, in order of length. The shortest lasts from the start to the first buoy, the longest for a whole protest hearing.')}
${paragraphs('Every crew gets a waterproof bag with its books. Bring it back dry, and the next coffee is ours.')}`,
    }),
  },
  {
    type: 'article',
    slug: 'a-winter-of-parcels',
    title: 'What we learned from a winter of parcels',
    terms: [category('shop'), tag('winter')],
    outcome: { kind: 'draft' },
    data: ({ picture, entry, day }) => ({
      summary: 'One thousand and twelve parcels, one bicycle, and the right way to fold brown paper.',
      cover: picture('parcels'),
      author: entry('noor-haddad'),
      date: day(0),
      notes: 'Figures from the post book are missing for February. Photo of the bicycle?',
      body: `${paragraphs('Between the first of November and the end of February we sent one thousand and twelve parcels. We learned to tie a knot that the post office can open.', 'Still to write: the bicycle, the ice, the parcel that came back from Iceland.')}`,
    }),
  },
]
