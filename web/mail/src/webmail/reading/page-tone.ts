/** How much light a color gives, from 0 to 1, as `getComputedStyle` writes it; null for one that shows what is behind. */
export const lightOf = (color: string): number | null => {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number)
  if (!/^rgba?\(/.test(color) || alpha < MIN_ALPHA) return null
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
}

const MIN_ALPHA = 0.5
/** A mail with more boxes is one of tables in tables: the first ones are the large ones. */
const MAX_ELEMENTS = 400
const GRID = 6

type Box = { left: number; top: number; right: number; bottom: number; light: number }

/** Whether most of an area is light: at each of some points the box that was painted last counts, and paper is white. */
export const isMostlyLight = (area: Omit<Box, 'light'>, boxes: readonly Box[]): boolean => {
  const points = Array.from({ length: GRID * GRID }, (_, index) => ({
    x: area.left + ((area.right - area.left) * ((index % GRID) + 0.5)) / GRID,
    y: area.top + ((area.bottom - area.top) * (Math.floor(index / GRID) + 0.5)) / GRID,
  }))
  const light = points.filter(({ x, y }) => {
    const box = boxes.findLast(({ left, right, top, bottom }) => x >= left && x < right && y >= top && y < bottom)
    return (box?.light ?? 1) > 0.5
  })
  return light.length * 2 >= points.length
}

/** Whether a mail is made for light paper. Some bring a dark background of their own. */
export const isLightPage = (page: Document): boolean => {
  const view = page.defaultView
  if (!view) return true
  const elements = [page.body, ...page.body.querySelectorAll('*')].slice(0, MAX_ELEMENTS)
  const boxes = elements.flatMap((element) => {
    const light = lightOf(view.getComputedStyle(element).backgroundColor)
    if (light === null) return []
    const { left, top, right, bottom } = element.getBoundingClientRect()
    return [{ left, top, right, bottom, light }]
  })
  return isMostlyLight(page.body.getBoundingClientRect(), boxes)
}
