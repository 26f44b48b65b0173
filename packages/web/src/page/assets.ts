/** Addresses of the page's images and data; `assets/SOURCES.md` names their sources. */
export const earthDay: string = new URL('../../assets/earth-day.jpg', import.meta.url).href
export const earthSmall: string = new URL('../../assets/earth-small.png', import.meta.url).href
export const earthNight: string = new URL('../../assets/earth-night.jpg', import.meta.url).href
export const earthClouds: string = new URL('../../assets/earth-clouds.png', import.meta.url).href
export const stars: string = new URL('../../assets/stars.bin', import.meta.url).href
export const constellations: string = new URL('../../assets/constellations.json', import.meta.url)
  .href
export const milkyWay: string = new URL('../../assets/milky-way.png', import.meta.url).href
