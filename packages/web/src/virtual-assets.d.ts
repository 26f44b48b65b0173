/** Addresses of the images and data that the build makes. */
declare module 'virtual:assets' {
  export const earthDay: string
  export const earthSmall: string
  export const earthNight: string
  export const earthClouds: string
  export const stars: string
  export const milkyWay: string
}

/** The build collects all styles in one file. */
declare module '*.css' {}
