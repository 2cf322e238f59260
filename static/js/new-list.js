// The screen of a list that begins a topic: what is taken opens the topic with it.
import { readLists } from "./list-reading.js";

readLists(document.querySelector("[data-new-list]"));
