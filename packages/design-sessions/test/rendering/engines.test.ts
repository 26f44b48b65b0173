// Goal: the engines draw what their sources say, and nothing hostile. Method: one render process
// for all, which loads each engine once; the tests are in files by topic.
import './engines/hostile.ts'
import './engines/pictures.ts'
import './engines/samples.ts'
import './engines/scripts.ts'
