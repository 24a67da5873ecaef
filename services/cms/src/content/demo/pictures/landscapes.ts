import {
  backdrop,
  boat,
  box,
  disc,
  drawing,
  glitter,
  glow,
  gradient,
  line,
  lots,
  type Point,
  path,
  ridge,
  shape,
  smooth,
  WIDE,
} from './draw.ts'

const { width, height } = WIDE

/** Houses along a quay; some windows are lit. */
const houses = (
  [left, ground]: Point,
  colours: readonly string[],
  { seed, lit }: { seed: number; lit: string },
): string => {
  const next = lots(seed)
  let x = left
  return colours
    .map((colour) => {
      const wide = 74 + next() * 46
      const tall = 110 + next() * 90
      const roof = 34 + next() * 22
      const top = ground - tall
      const windows = Array.from({ length: 6 }, (_, index) => {
        const at: Point = [x + wide * (index % 2 === 0 ? 0.2 : 0.58), top + 18 + Math.floor(index / 2) * 40]
        const isLit = next() > 0.45
        return box(at, { width: wide * 0.22, height: 22 }, isLit ? lit : '#1f2b3d', {
          round: 2,
          opacity: isLit ? 0.95 : 0.35,
        })
      })
      const gable = `${x - 5},${top} ${x + wide / 2},${top - roof} ${x + wide + 5},${top}`
      const house = `${shape(gable, '#3b3f52')}${box([x, top], { width: wide, height: tall }, colour)}${windows.join('')}`
      x += wide + 3
      return house
    })
    .join('')
}

export const harborAtDawn = (): string =>
  drawing(
    WIDE,
    backdrop(WIDE, ['#2d4a6b', '#8d8aa5', '#f3b489', '#fbdcae']),
    glow([860, 430], 330, '#ffe9bd', 'sun'),
    disc([860, 430], 56, '#fff3d6'),
    ridge(WIDE, { top: 380, height: 60, steps: 7, seed: 3, fill: '#7d7f9c', opacity: 0.7 }),
    ridge(WIDE, { top: 425, height: 36, steps: 9, seed: 8, fill: '#5a6684' }),
    gradient('sea', ['#e2a98b', '#6d87a0', '#2c4a66']),
    box([0, 468], { width, height: height - 468 }, 'url(#sea)'),
    glitter([860, 474], { width: 300, height: 300 }, '#fff0cf', 5),
    houses([-14, 500], ['#c96f53', '#e8d5b5', '#5f8f96', '#d9a441', '#b9c4c9', '#8a5a68'], {
      seed: 11,
      lit: '#ffd98a',
    }),
    path(`M0,496 L640,496 L700,${height} L0,${height} Z`, '#3c4456'),
    path('M0,496 L640,496 L646,512 L0,512 Z', '#596176'),
    boat([780, 560], 44, { hull: '#233349', sail: '#f7ecd8' }),
    boat([1060, 610], 66, { hull: '#7c3f38', sail: '#fbf3e2' }),
    boat([960, 508], 24, { hull: '#2d3c55', sail: '#f3d9bd' }),
  )

export const lighthouseAtNight = (): string => {
  const next = lots(21)
  const stars = Array.from({ length: 90 }, () =>
    disc([next() * width, next() * 430], 0.8 + next() * 1.7, '#e9eefc', 0.9),
  )
  return drawing(
    WIDE,
    backdrop(WIDE, ['#0b1633', '#1d3159', '#3e5683']),
    ...stars,
    glow([220, 150], 150, '#dfe8ff', 'moon'),
    disc([220, 150], 40, '#f4f1e4'),
    shape('900,250 0,60 0,260', '#ffe9a8', 0.16),
    ridge(WIDE, { top: 470, height: 50, steps: 6, seed: 2, fill: '#24365c' }),
    gradient('sea', ['#28406b', '#0d1c3b']),
    box([0, 520], { width, height: 280 }, 'url(#sea)'),
    glitter([220, 530], { width: 200, height: 240 }, '#dfe8ff', 9),
    path(`${smooth('640,640 760,520 900,480 1040,500 1190,590 1280,620')} L1280,800 L560,800 Z`, '#0f1a30'),
    shape('862,490 876,280 924,280 938,490', '#efe6d6'),
    shape('868,400 872,345 928,345 932,400', '#b3473d'),
    box([868, 262], { width: 64, height: 20 }, '#22304e', { round: 3 }),
    glow([900, 246], 120, '#ffe08a', 'lamp'),
    box([880, 226], { width: 40, height: 38 }, '#ffe6a0', { round: 4 }),
    shape('872,228 900,196 928,228', '#b3473d'),
    line(smooth('0,660 150,640 320,668 520,648 640,662'), '#9fb4de', 3, 0.4),
    line(smooth('60,730 260,708 440,734 640,716'), '#9fb4de', 3, 0.3),
  )
}

export const stormAtSea = (): string => {
  const next = lots(40)
  const rain = Array.from({ length: 110 }, () => {
    const [x, y] = [next() * (width + 200) - 100, next() * 560]
    return `M${Math.round(x)},${Math.round(y)} l-14,52`
  })
  return drawing(
    WIDE,
    backdrop(WIDE, ['#2a3440', '#566472', '#9aa6a6']),
    disc([260, 190], 190, '#3b4754', 0.55),
    disc([480, 130], 240, '#313d4a', 0.6),
    disc([800, 160], 220, '#3a4652', 0.55),
    disc([1080, 120], 260, '#2e3945', 0.6),
    line(rain.join(' '), '#d5dee0', 1.5, 0.28),
    ridge(WIDE, { top: 430, height: 90, steps: 8, seed: 12, fill: '#54717a' }),
    boat([690, 505], 58, { hull: '#7a2f2a', sail: '#efe8d8' }),
    ridge(WIDE, { top: 490, height: 110, steps: 7, seed: 31, fill: '#3c5a66' }),
    ridge(WIDE, { top: 570, height: 110, steps: 6, seed: 5, fill: '#2a4654' }),
    ridge(WIDE, { top: 670, height: 90, steps: 5, seed: 18, fill: '#1b3340' }),
    line(smooth('0,560 180,520 330,560 520,530 700,566'), '#dfeaea', 5, 0.5),
    line(smooth('560,690 760,640 930,690 1120,650 1280,680'), '#dfeaea', 5, 0.4),
  )
}

export const saltMarsh = (): string => {
  const next = lots(77)
  const reeds = Array.from({ length: 120 }, () => {
    const x = Math.round(next() * width)
    return `M${x},${800 - Math.round(next() * 30)} q${Math.round(next() * 16 - 8)},-60 ${Math.round(next() * 34 - 17)},-${Math.round(70 + next() * 90)}`
  })
  const bird = (x: number, y: number, size: number): string =>
    line(
      `M${x - size},${y - size / 3} q${size / 2},-${size / 2} ${size},${size / 3} q${size / 2},-${size * 0.8} ${size},-${size / 3}`,
      '#31424a',
      4,
    )
  return drawing(
    WIDE,
    backdrop(WIDE, ['#9cc3cf', '#d8e6d6', '#f6edc9']),
    disc([980, 210], 70, '#fff7dc'),
    bird(360, 180, 30),
    bird(450, 225, 22),
    bird(300, 250, 18),
    ridge(WIDE, { top: 350, height: 70, steps: 6, seed: 4, fill: '#a8bfa6' }),
    ridge(WIDE, { top: 420, height: 50, steps: 8, seed: 14, fill: '#86a583' }),
    ridge(WIDE, { top: 480, height: 40, steps: 9, seed: 24, fill: '#678a68' }),
    path(
      'M700,520 C560,560 900,600 660,660 C440,710 620,760 520,800 L900,800 C960,740 820,700 980,640 C1080,600 800,560 760,520 Z',
      '#bcd9dc',
    ),
    ridge(WIDE, { top: 690, height: 60, steps: 7, seed: 6, fill: '#41674f', opacity: 0.85 }),
    line(reeds.join(' '), '#2c4d3b', 4, 0.9),
  )
}

export const regatta = (): string =>
  drawing(
    WIDE,
    backdrop(WIDE, ['#4f9fb8', '#a6d3d3', '#f3ead0']),
    disc([240, 180], 64, '#fff6d8'),
    ridge(WIDE, { top: 380, height: 44, steps: 8, seed: 9, fill: '#6f9f97' }),
    gradient('sea', ['#7dbcc0', '#2b7488']),
    box([0, 430], { width, height: 370 }, 'url(#sea)'),
    glitter([240, 440], { width: 220, height: 300 }, '#fffbe8', 3),
    boat([880, 500], 42, { hull: '#31475e', sail: '#ffffff' }),
    boat([1080, 520], 54, { hull: '#31475e', sail: '#f6c453' }),
    boat([420, 560], 74, { hull: '#8c3b34', sail: '#fffaf0' }),
    boat([720, 660], 112, { hull: '#22384d', sail: '#e8604c' }),
    line(smooth('120,700 300,680 520,704 700,690'), '#ffffff', 4, 0.45),
    line(smooth('860,720 1010,700 1180,724'), '#ffffff', 4, 0.4),
  )

export const tideChart = (): string => {
  const contour = (shift: number): string => {
    const depth = (index: number) => 180 + shift + Math.sin(index * 0.9 + shift / 90) * (70 - shift / 12)
    const points = Array.from({ length: 11 }, (_, index) => `${index * 128},${depth(index)}`)
    return line(smooth(points.join(' ')), '#2f6a7c', 2.5, 0.65)
  }
  const grid = [
    ...Array.from({ length: 9 }, (_, index) => `M${(index + 1) * 128},0 V${height}`),
    ...Array.from({ length: 5 }, (_, index) => `M0,${(index + 1) * 133} H${width}`),
  ]
  const course = '180,640 360,560 520,590 700,440 930,400 1080,250'
  return drawing(
    WIDE,
    backdrop(WIDE, ['#e9e3cc', '#dfe6d8', '#cfe2e2']),
    line(grid.join(' '), '#9fae9f', 1, 0.5),
    ...Array.from({ length: 13 }, (_, index) => contour(index * 44)),
    path('M0,0 H430 C400,90 300,110 250,170 C190,240 90,230 0,300 Z', '#e6cf9a'),
    path('M1280,800 H900 C940,720 1040,720 1090,640 C1140,560 1220,580 1280,520 Z', '#e6cf9a'),
    `<g stroke-dasharray="14 12">${line(smooth(course), '#b3473d', 5)}</g>`,
    ...course.split(' ').map((point) => line(`M${point} l0,0`, '#b3473d', 18)),
    disc([1110, 130], 62, '#f7f2df', 0.9),
    shape('1110,60 1124,130 1110,200 1096,130', '#b3473d'),
    shape('1040,130 1110,118 1180,130 1110,142', '#2f4a5c', 0.8),
  )
}
