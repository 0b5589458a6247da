#include "server/hub.h"

#include "io/json.h"

#include <algorithm>

namespace polhode::live {

namespace {

News::Text noticeText(const std::string& sentence) {
  JsonWriter json;
  json.beginObject().field("type", "notice").field("text", sentence).endObject();
  return std::make_shared<const std::string>(json.text());
}

}  // namespace

Hub::Seat* Hub::find(const Page& page) {
  const auto found =
      std::find_if(seats_.begin(), seats_.end(), [&](const Seat& seat) { return seat.page.get() == &page; });
  return found == seats_.end() ? nullptr : &*found;
}

void Hub::enter(std::shared_ptr<Page> page) {
  seats_.push_back({++lastNumber_, page});
  if (seats_.size() == 1) steering_ = lastNumber_;
  if (scene_) page->sendText(scene_);
  if (status_) page->sendText(status_);
  tellSeats();
  if (frame_) page->sendFrame(frame_);
}

void Hub::leave(const Page& page) {
  const Seat* seat = find(page);
  if (!seat) return;
  const bool steered = seat->number == steering_;
  seats_.erase(seats_.begin() + (seat - seats_.data()));
  if (steered) {
    runner_.post(Release{});
    steering_ = seats_.empty() ? 0 : seats_.front().number;
  }
  tellSeats();
}

void Hub::receive(const Page& page, std::string_view message) {
  Seat* seat = find(page);
  if (!seat) return;
  const std::optional<Command> command = parseCommand(message);
  if (!command) return seat->page->sendText(noticeText("the server did not understand what the page sent"));
  if (std::holds_alternative<Steer>(*command)) {
    if (seat->number == steering_) return;
    runner_.post(Release{});
    steering_ = seat->number;
    return tellSeats();
  }
  if (seat->number != steering_)
    return seat->page->sendText(noticeText("another page steers; take over to change something"));
  runner_.post(*command);
}

void Hub::spread() {
  News news = runner_.takeNews();
  run_ = std::move(news.run);
  recording_ = std::move(news.recording);
  if (news.scene) scene_ = news.scene;
  if (news.status) status_ = news.status;
  frame_ = run_ ? nullptr : news.frame ? news.frame : frame_;

  std::vector<News::Text> texts;
  if (news.scene) texts.push_back(news.scene);
  if (news.status) texts.push_back(news.status);
  for (const std::string& sentence : news.notices) texts.push_back(noticeText(sentence));
  const std::vector<Seat> seats = seats_;  // a page may leave while it is sent to
  for (const Seat& seat : seats) {
    for (const News::Text& text : texts) seat.page->sendText(text);
    if (news.frame) seat.page->sendFrame(news.frame);
  }
}

/// Each page its number, whether it steers and how many there are.
void Hub::tellSeats() {
  const std::vector<Seat> seats = seats_;
  for (const Seat& seat : seats) {
    JsonWriter json;
    json.beginObject().field("type", "seat").field("page", static_cast<std::int64_t>(seat.number));
    json.field("steering", seat.number == steering_).field("pages", static_cast<std::uint64_t>(seats.size()));
    json.endObject();
    seat.page->sendText(std::make_shared<const std::string>(json.text()));
  }
}

void Hub::closeAll() {
  const std::vector<Seat> seats = seats_;
  for (const Seat& seat : seats) seat.page->close();
}

}  // namespace polhode::live
