/** Hues (OKLCH) as far apart as twelve can be; lightness and chroma are in tokens.css, with enough contrast for each. */
export const PERSON_HUES = [15, 45, 75, 105, 135, 165, 195, 225, 255, 285, 315, 345] as const

/** The hue of a person by id or address, the same on every screen and every visit (FNV-1a). */
export const personHue = (person: string): number => {
  let hash = 0x811c9dc5
  for (const sign of person.toLowerCase()) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  // The lowest bits alone would hardly mix
  return PERSON_HUES[((hash ^ (hash >>> 15)) >>> 0) % PERSON_HUES.length] ?? PERSON_HUES[0]
}
